import type { ObjectId } from 'bson';
import { compileFilter } from '../../catalog/filters/matchesFilter';
import { bestOfGroups, type CouponCandidate, pointsOf } from '../../offers/bestOfGroups';
import { type Coupon, couponFault, couponSnapshot } from '../../offers/coupon';
import { gainOf } from '../../offers/discount';
import { useCounters } from '../../offers/useCounters';
import { accrue } from '../../points/ledger/accrue';
import type { LineItem } from '../../records/activities/activity';
import type { ProcessingError } from '../../records/activities/activityHistory';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { ActingRule } from '../../rules/actions/actionTarget';
import { spend } from '../effects/spend';
import type { ActivityChanges } from '../state/activityChanges';
import { couponOf, issuedOf, locationOf } from '../state/batchContext';
import { purseOf, refused } from '../state/checkActivity';

/**
 * Applies the offers and rewards that the activity or its rules name, after all rules (docs/decisions/0010). It applies
 * only the best of each stack group. A code that the client sent and that cannot be used refuses the activity. An offer
 * of a rule that cannot be used is only logged.
 */
export function applyCoupons(changes: ActivityChanges): ProcessingError | undefined {
  const candidates: RequestedCoupon[] = [];
  for (const requested of requestedCoupons(changes)) {
    const fault = requested.fault ?? (requested.issued ? undefined : usedUp(changes, requested));
    if (fault === undefined) candidates.push(requested);
    else if (requested.isSent) return refused(2500, `The coupon code ${requested.code} ${fault}`);
    else noteUnused(changes, requested, `the offer ${fault}`);
  }
  if (candidates.length === 0) return undefined;
  const { best, lost } = bestOfGroups(candidates);
  for (const each of lost) noteUnused(changes, each, 'another of its stack group gives more');
  for (const [n, candidate] of best.entries()) {
    const error = applyOne(changes, candidate, n);
    if (error) return error;
  }
  return undefined;
}

/** Writes an entry of the log that says why an offer or reward is not applied. */
function noteUnused(changes: ActivityChanges, { code, rule }: RequestedCoupon, reason: string): void {
  changes.log.record('applyOffer', rule, { code, isApplied: false, reason });
}

function usedUp(changes: ActivityChanges, { coupon }: CouponCandidate): string | undefined {
  return changes.coupons.usedUp(useCounters(coupon, changes.input.state.doc._id));
}

function applyOne(changes: ActivityChanges, requested: RequestedCoupon, n: number): ProcessingError | undefined {
  const { coupon, gain, code, issued, lines, rule } = requested;
  const points = pointsOf(gain);
  // A discount of 0 must not use up the coupon. A coupon without a discount stands for a thing, so it is used.
  if (coupon.record.discount && gain.discount + points === 0) {
    noteUnused(changes, requested, 'it comes to nothing');
    return undefined;
  }
  const { state } = changes.input;
  const origin = originOf(changes, requested);
  const cost = coupon.kind === 'reward' && !issued ? coupon.record.cost : undefined;
  const error = cost && spend(changes, { ...cost, n }, origin);
  if (error) return error;
  if (issued) changes.coupons.changeIssued({ ...issued, status: 'Used', usedBy: origin.activity });
  else changes.coupons.use(useCounters(coupon, state.doc._id));
  award(changes, gain.points, n, origin);
  const applied = { ...couponSnapshot(coupon), code, discount: gain.discount, points };
  changes.coupons.applied.push({ ...applied, ...(rule ? { rule: rule._id } : {}) });
  for (const [line, share] of sharesOf(gain.discount, lines)) changes.coupons.byLine.set(line, share);
  changes.log.record('applyOffer', rule, { isApplied: true, ...applied });
  return undefined;
}

/** The origin of the points of an offer or reward: it and, when a rule applied it, the rule. */
function originOf(changes: ActivityChanges, { coupon: { kind, record }, rule }: RequestedCoupon) {
  const { activityId: activity } = changes.input;
  return { activity, ...(rule ? changes.origin(rule) : {}), [kind]: record._id };
}

function award(
  changes: ActivityChanges,
  points: CouponCandidate['gain']['points'],
  n: number,
  origin: ReturnType<typeof originOf>,
): void {
  const { state, ledger, activity } = changes.input;
  for (const each of points) {
    const policy = purseOf(state, each.purse);
    if (!policy) continue;
    const lot = accrue(ledger, { purse: policy._id, points: each.points, date: activity.date, origin, n });
    changes.awarded(state, lot, each.points, n);
  }
}

/** Splits the discount over line items by their amounts. The shares add up to the discount. */
function sharesOf(discount: number, lines: RequestedCoupon['lines']): [line: number, share: number][] {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  let amountSoFar = 0;
  let sharedSoFar = 0;
  return lines.map(({ line, amount }) => {
    amountSoFar += amount;
    const upTo = total === 0 ? 0 : Math.floor((discount * amountSoFar) / total);
    const share = upTo - sharedSoFar;
    sharedSoFar = upTo;
    return [line, share];
  });
}

/** An offer or reward that the activity asks for, checked and with its gain. */
interface RequestedCoupon extends CouponCandidate {
  code: string;
  /** True when the client named it, false when only a rule did. */
  isSent: boolean;
  /** The first rule that applied it. */
  rule: ActingRule | undefined;
  /** The issued reward, when the code is one that was issued to the member. */
  issued: IssuedReward | undefined;
  /** The line items that named it and are eligible, with their amounts. */
  lines: { line: number; amount: number }[];
  /** Why it cannot be used for this activity; undefined when it can. */
  fault: string | undefined;
}

/** Every offer and reward that the activity names or its rules apply, each once, with its gain. */
function requestedCoupons(changes: ActivityChanges): RequestedCoupon[] {
  const { activity, context } = changes.input;
  const { named } = context;
  const found = new Map<string, CouponRequest>();
  if (activity.couponCode !== undefined) add(found, couponOf(named, activity), { code: activity.couponCode });
  activity.lineItems.forEach((item, line) => {
    const { couponCode } = item;
    add(found, couponOf(named, item), { ...(couponCode === undefined ? {} : { code: couponCode }), line });
  });
  for (const [code, rule] of changes.coupons.offers) add(found, named.offerByCode.get(code), { rule });
  return [...found.values()].map((requested) => completed(changes, requested));
}

interface CouponRequest {
  coupon: Coupon;
  code: string;
  isSent: boolean;
  rule?: ActingRule | undefined;
  /** Positions of the line items that named it; undefined when it is for the whole activity. */
  lines: number[] | undefined;
}

function add(
  found: Map<string, CouponRequest>,
  coupon: Coupon | undefined,
  { code, line, rule }: { code?: string; line?: number; rule?: ActingRule },
): void {
  if (!coupon) return;
  const key = code ?? coupon.record.code;
  const known = found.get(key);
  const lines = line === undefined ? undefined : [line];
  if (!known) found.set(key, { coupon, code: key, isSent: !rule, rule, lines });
  else if (line === undefined) found.set(key, { ...known, lines, rule });
  else known.lines?.push(line);
}

function completed(changes: ActivityChanges, requested: CouponRequest): RequestedCoupon {
  const { coupon, code, isSent, rule } = requested;
  const { activity, context, state } = changes.input;
  const eligible = eligibleLines(changes, requested);
  const { discount, productFilter } = coupon.record;
  const isWhole = requested.lines === undefined && !productFilter;
  const amount = isWhole ? activity.value : eligible.reduce((sum, each) => sum + each.amount, 0);
  const gain = discount
    ? gainOf(discount, {
        eligible: amount,
        whole: activity.value,
        awarded: awardsOf(changes),
        primaryPurse: primaryOf(changes),
      })
    : { discount: 0, points: [] };
  const used = { program: state.program._id, date: activity.date };
  const isEligible = isWhole || eligible.length > 0;
  const fault =
    couponFault(coupon, used) ?? locationFault(changes, coupon) ?? (isEligible ? undefined : 'fits no line item');
  const lines = requested.lines ? eligible : [];
  return { coupon, code, isSent, rule, issued: issuedOf(context, code), lines, gain, fault };
}

/**
 * The line items that the product filter selects. When line items named the coupon, only these can be eligible. With a
 * filter, an item whose product is unknown is not eligible.
 */
function eligibleLines(changes: ActivityChanges, { coupon, lines }: CouponRequest): RequestedCoupon['lines'] {
  const { activity, context } = changes.input;
  const { productFilter } = coupon.record;
  const match = productFilter && compileFilter('Product', productFilter);
  const fits = (item: LineItem) => {
    const product = context.named.products.bySku.get(item.itemSKU ?? '');
    return !match || (product !== undefined && match(product, context.named));
  };
  return activity.lineItems.flatMap((item, line) =>
    (lines === undefined || lines.includes(line)) && fits(item) ? [{ line, amount: item.itemAmount ?? 0 }] : [],
  );
}

/** Checks the location filter. When the location is unknown, only a filter without restrictions matches. */
function locationFault(changes: ActivityChanges, { record: { locationFilter } }: Coupon): string | undefined {
  if (!locationFilter) return undefined;
  const { activity, context } = changes.input;
  const location = locationOf(context.named, activity) ?? {};
  return compileFilter('Location', locationFilter)(location, context.named)
    ? undefined
    : 'is not valid at this location';
}

function primaryOf({ input: { state } }: ActivityChanges): string | undefined {
  return (state.policies.find(({ primary }) => primary) ?? state.policies[0])?.name;
}

/** Points that rules awarded to the activity's member, by purse. */
function awardsOf({ effects, input: { state } }: ActivityChanges): { purse: string; points: number }[] {
  const isOwn = (effect: { member: ObjectId; moved?: boolean }) => !effect.moved && effect.member.equals(state.doc._id);
  return state.policies.map(({ _id, name }) => ({
    purse: name,
    points: effects.accrued
      .filter((effect) => isOwn(effect) && effect.purse.equals(_id))
      .reduce((sum, { points }) => sum + points, 0),
  }));
}
