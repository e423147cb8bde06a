import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { findCoupon, findIssuedReward, findLocation } from '#activities/state/batchContext';
import { type Message, message } from '#base/common/messages/message';
import { compileFilter } from '#engine/filters/matchesFilter';
import type { ActingRule } from '#engine/rules/actions/actionTarget';
import { type CouponCandidate, gainWorth } from '#programs/offers/compatibility';
import { type Coupon, couponFault } from '#programs/offers/coupon';
import { type DiscountBase, discountGain, type Gain } from '#programs/offers/discount';
import { sumOfGains } from '#programs/offers/sumOfGains';
import type { LineItem } from '#records/activities/activity';
import type { IssuedReward } from '#records/offers/issuedReward';

/** A line item that an offer is for. */
interface EligibleLine {
  line: number;
  amount: number;
}

/** An offer or reward that the activity asks for, checked and with its gain. */
export interface RequestedCoupon extends CouponCandidate {
  /** True when the client named it, false when only a rule did. */
  isSent: boolean;
  /** The first rule that applied it. */
  rule: ActingRule | undefined;
  /** The issued reward, when the code is one that was issued to the member. */
  issued: IssuedReward | undefined;
  /** The line items that named it and are eligible, with their amounts. */
  lines: EligibleLine[];
  /** Why it cannot be used for this activity; undefined when it can. */
  fault: Message | undefined;
}

/** Every offer and reward that the activity names or its rules apply, each once, with its gain. */
export function requestedCoupons(changes: ActivityChanges): RequestedCoupon[] {
  const { activity, context } = changes.input;
  const { named } = context;
  const found = new Map<string, CouponRequest>();
  const issued = (code: string) => findIssuedReward(context, code);
  if (activity.couponCode !== undefined)
    addRequest(found, issued, findCoupon(named, activity), { code: activity.couponCode });
  activity.lineItems.forEach((item, line) => {
    const { couponCode } = item;
    addRequest(found, issued, findCoupon(named, item), {
      ...(couponCode === undefined ? {} : { code: couponCode }),
      line,
    });
  });
  for (const [code, rule] of changes.coupons.offers) addRequest(found, issued, named.offerByCode.get(code), { rule });
  return [...found.values()].map((requested) => withGain(changes, requested));
}

interface CouponRequest {
  coupon: Coupon;
  code: string;
  isSent: boolean;
  rule?: ActingRule | undefined;
  /** Positions of the line items that named it; undefined when it is for the whole activity. */
  lines: number[] | undefined;
}

/** Adds a request. Two requests for one coupon become one, even when its code is spelled differently. */
function addRequest(
  found: Map<string, CouponRequest>,
  issued: (code: string) => IssuedReward | undefined,
  coupon: Coupon | undefined,
  { code, line, rule }: { code?: string; line?: number; rule?: ActingRule },
): void {
  if (!coupon) return;
  const key = (code !== undefined && issued(code)?.code) || coupon.record.code;
  const known = found.get(key);
  const lines = line === undefined ? undefined : [line];
  if (!known) found.set(key, { coupon, code: code ?? key, isSent: !rule, rule, lines });
  else if (line === undefined) found.set(key, { ...known, lines, rule });
  else known.lines?.push(line);
}

function withGain(changes: ActivityChanges, requested: CouponRequest): RequestedCoupon {
  const { coupon, code, isSent, rule } = requested;
  const { activity, context, state } = changes.input;
  const eligible = eligibleLines(changes, requested);
  const { productFilter, perLine } = coupon.record;
  const isWhole = requested.lines === undefined && !productFilter && !perLine;
  const used = { program: state.program._id, date: activity.date };
  const isEligible = isWhole || eligible.length > 0;
  const fault =
    couponFault(coupon, used) ??
    locationFault(changes, coupon) ??
    (isEligible ? undefined : message('activities.fitsNoLineItem'));
  const gains = perLine
    ? gainByLine(changes, coupon, eligible)
    : { gain: gainOfWhole(changes, coupon, eligible, isWhole) };
  const lines = requested.lines ? eligible : [];
  return { coupon, code, isSent, rule, issued: findIssuedReward(context, code), lines, ...gains, fault };
}

const noGain: Gain = { discount: 0, points: [] };

function gainOfWhole(
  changes: ActivityChanges,
  { record: { discount } }: Coupon,
  lines: readonly EligibleLine[],
  isWhole: boolean,
): Gain {
  if (!discount) return noGain;
  const eligible = isWhole ? changes.input.activity.value : lines.reduce((sum, { amount }) => sum + amount, 0);
  return discountGain(discount, { ...discountBase(changes), eligible });
}

/** What an offer `perLine` gives to each line item. A line item that gets nothing is left out. */
function gainByLine(
  changes: ActivityChanges,
  { record: { discount } }: Coupon,
  lines: readonly EligibleLine[],
): Pick<CouponCandidate, 'gain' | 'byLine'> {
  const base = discountBase(changes);
  const byLine = new Map(
    lines.flatMap(({ line, amount }) => {
      const gain = discount ? discountGain(discount, { ...base, eligible: amount }) : noGain;
      return discount && gainWorth(gain) === 0 ? [] : [[line, gain] as const];
    }),
  );
  return { gain: sumOfGains([...byLine.values()]), byLine };
}

function discountBase(changes: ActivityChanges): Omit<DiscountBase, 'eligible'> {
  return { whole: changes.input.activity.value, awarded: ownAwards(changes), primaryPurse: primaryPurse(changes) };
}

/**
 * The line items that the product filter selects. When line items named the coupon, only these can be eligible. With a
 * filter, an item whose product is unknown is not eligible.
 */
function eligibleLines(changes: ActivityChanges, { coupon, lines }: CouponRequest): EligibleLine[] {
  const { activity, context } = changes.input;
  const { productFilter } = coupon.record;
  const match = productFilter && compileFilter('Product', productFilter);
  const fits = (item: LineItem) => {
    const product = context.named.products.bySku.get(item.itemSKU ?? '');
    return !match || (product !== undefined && match(product, context.named));
  };
  const positions = lines ?? activity.lineItems.keys();
  return [...positions].flatMap((line) => {
    const item = activity.lineItems[line];
    return item && fits(item) ? [{ line, amount: item.itemAmount ?? 0 }] : [];
  });
}

/** Checks the location filter. When the location is unknown, only a filter without restrictions matches. */
function locationFault(changes: ActivityChanges, { record: { locationFilter } }: Coupon): Message | undefined {
  if (!locationFilter) return undefined;
  const { activity, context } = changes.input;
  const location = findLocation(context.named, activity) ?? {};
  return compileFilter('Location', locationFilter)(location, context.named)
    ? undefined
    : message('activities.notAtLocation');
}

function primaryPurse({ input: { state } }: ActivityChanges): string | undefined {
  return (state.policies.find(({ primary }) => primary) ?? state.policies[0])?.name;
}

/** Points that rules awarded to the activity's member, by purse. */
function ownAwards({ effects, input: { state } }: ActivityChanges): { purse: string; points: number }[] {
  const isOwn = (effect: { member: ObjectId; moved?: boolean }) => !effect.moved && effect.member.equals(state.doc._id);
  return state.policies.map(({ _id, name }) => ({
    purse: name,
    points: effects.accrued
      .filter((effect) => isOwn(effect) && effect.purse.equals(_id))
      .reduce((sum, { points }) => sum + points, 0),
  }));
}
