import type { ObjectId } from 'bson';
import { compileFilter } from '../../catalog/filters/matchesFilter';
import type { Candidate } from '../../offers/bestOfGroups';
import { type Coupon, couponFault } from '../../offers/coupon';
import { gainOf } from '../../offers/discount';
import type { LineItem } from '../../records/activities/activity';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { LedgerTarget } from '../state/ledgerTarget';
import { couponOf, issuedOf, locationOf, productOf } from '../state/namedRecords';

/** An offer or reward that an activity is to use. */
export interface AskedCoupon extends Candidate {
  code: string;
  /** A client named it; else a rule did. */
  isSent: boolean;
  /** The code was issued to the member. */
  issued: IssuedReward | undefined;
  /** The line items that named it and are eligible, with their amounts. */
  lines: { line: number; amount: number }[];
  /** Why it cannot be used here. */
  fault: string | undefined;
}

/** Every offer and reward that an activity names, or rules apply, each once, with what it would give. */
export function askedCoupons(target: LedgerTarget): AskedCoupon[] {
  const { activity, context } = target.input;
  const { named } = context;
  const found = new Map<string, Asked>();
  if (activity.couponCode !== undefined) add(found, couponOf(named, activity), { code: activity.couponCode });
  activity.lineItems.forEach((item, line) => {
    const { couponCode } = item;
    add(found, couponOf(named, item), { ...(couponCode === undefined ? {} : { code: couponCode }), line });
  });
  for (const code of target.coupons.offers) add(found, named.offerByCode.get(code), { isOfRule: true });
  return [...found.values()].map((asked) => completed(target, asked));
}

interface Asked {
  coupon: Coupon;
  code: string;
  isSent: boolean;
  /** Line items that named it; undefined: it is for the whole activity. */
  lines: number[] | undefined;
}

function add(
  found: Map<string, Asked>,
  coupon: Coupon | undefined,
  { code, line, isOfRule = false }: { code?: string; line?: number; isOfRule?: boolean },
): void {
  if (!coupon) return;
  const key = code ?? coupon.record.code;
  const known = found.get(key);
  if (!known) found.set(key, { coupon, code: key, isSent: !isOfRule, lines: line === undefined ? undefined : [line] });
  else if (line === undefined) found.set(key, { ...known, lines: undefined });
  else known.lines?.push(line);
}

function completed(target: LedgerTarget, asked: Asked): AskedCoupon {
  const { coupon, code, isSent } = asked;
  const { activity, context, state } = target.input;
  const eligible = eligibleLines(target, asked);
  const { discount, productFilter } = coupon.record;
  const isWhole = asked.lines === undefined && !productFilter;
  const amount = isWhole ? activity.value : eligible.reduce((sum, each) => sum + each.amount, 0);
  const gain = discount
    ? gainOf(discount, {
        eligible: amount,
        whole: activity.value,
        awarded: awardsOf(target),
        primaryPurse: primaryOf(target),
      })
    : { discount: 0, points: [] };
  const used = { program: state.program._id, date: activity.date };
  const isEligible = isWhole || eligible.length > 0;
  const fault =
    couponFault(coupon, used) ?? placeFault(target, coupon) ?? (isEligible ? undefined : 'fits no line item');
  const lines = asked.lines ? eligible : [];
  return { coupon, code, isSent, issued: issuedOf(context, code), lines, gain, fault };
}

/** The line items that the filter selects, of those that named it when any did; unknown products are not eligible. */
function eligibleLines(target: LedgerTarget, { coupon, lines }: Asked): AskedCoupon['lines'] {
  const { activity, context } = target.input;
  const { productFilter } = coupon.record;
  const match = productFilter && compileFilter('Product', productFilter);
  const fits = (item: LineItem) => {
    const product = productOf(context.named, item);
    return !match || (product !== undefined && match(product, context.named));
  };
  return activity.lineItems.flatMap((item, line) =>
    (lines === undefined || lines.includes(line)) && fits(item) ? [{ line, amount: item.itemAmount ?? 0 }] : [],
  );
}

/** Where no location is known, only a filter that restricts nothing is met. */
function placeFault(target: LedgerTarget, { record: { locationFilter } }: Coupon): string | undefined {
  if (!locationFilter) return undefined;
  const { activity, context } = target.input;
  const location = locationOf(context.named, activity) ?? {};
  return compileFilter('Location', locationFilter)(location, context.named)
    ? undefined
    : 'is not valid at this location';
}

function primaryOf({ input: { state } }: LedgerTarget): string | undefined {
  return (state.policies.find(({ primary }) => primary) ?? state.policies[0])?.name;
}

/** What rules awarded to the member so far, by purse. */
function awardsOf({ effects, input: { state } }: LedgerTarget): { purse: string; points: number }[] {
  const isOwn = (effect: { member: ObjectId; moved?: boolean }) => !effect.moved && effect.member.equals(state.doc._id);
  return state.policies.map(({ _id, name }) => ({
    purse: name,
    points: effects.accrued
      .filter((effect) => isOwn(effect) && effect.purse.equals(_id))
      .reduce((sum, { points }) => sum + points, 0),
  }));
}
