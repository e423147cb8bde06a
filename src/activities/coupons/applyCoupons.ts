import { payFor } from '#activities/effects/spendPoints';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { findPursePolicy, refused } from '#activities/state/checkActivity';
import { type Message, message } from '#base/common/messages/message';
import { accrue } from '#engine/points/ledger/accrue';
import { type AppliedCandidate, bestCombination } from '#programs/offers/bestCombination';
import { type CouponCandidate, gainPoints, gainWorth } from '#programs/offers/compatibility';
import { couponSnapshot } from '#programs/offers/coupon';
import type { Gain } from '#programs/offers/discount';
import { rejectionReason } from '#programs/offers/rejectionReason';
import { sumOfGains } from '#programs/offers/sumOfGains';
import { useCounters } from '#programs/offers/useCounters';
import type { ProcessingError } from '#records/activities/activityHistory';
import { type RequestedCoupon, requestedCoupons } from './requestedCoupons';

/**
 * Applies the offers and rewards that the activity or its rules name, after all rules (docs/decisions/0010). It chooses
 * the allowed combination that gives most. When the client sent a code that cannot be used, the activity is refused.
 * When a rule named an offer that cannot be used, only the log says so.
 */
export function applyCoupons(changes: ActivityChanges): ProcessingError | undefined {
  const candidates: RequestedCoupon[] = [];
  for (const requested of requestedCoupons(changes)) {
    const fault = requested.fault ?? (requested.issued ? undefined : usedUp(changes, requested));
    if (fault !== undefined && requested.isSent)
      return refused(2500, message('activities.couponCode', { code: requested.code, fault }));
    if (fault !== undefined) noteUnused(changes, requested, message('activities.offerFault', { fault }));
    // A discount of 0 must not use up the coupon. A coupon without a discount is for an item, so it is used.
    else if (requested.coupon.record.discount && gainWorth(requested.gain) === 0) {
      noteUnused(changes, requested, message('activities.comesToNothing'));
    } else candidates.push(requested);
  }
  if (candidates.length === 0) return undefined;
  const { offerLimits } = changes.input.state.program;
  const { applied, lost } = bestCombination(candidates, offerLimits);
  for (const each of lost) noteUnused(changes, each, rejectionReason(each, applied, offerLimits));
  for (const [n, each] of applied.entries()) {
    const error = applyOne(changes, each, n);
    if (error) return error;
  }
  return undefined;
}

/** Writes an entry of the log that says why an offer or reward is not applied. */
function noteUnused(changes: ActivityChanges, { code, rule }: RequestedCoupon, reason: Message): void {
  changes.coupons.passedOver.push({ code, reason: reason.message, discount: 0, points: 0 });
  changes.log.recordOmitted('applyOffer', rule, { code, isApplied: false }, reason);
}

function usedUp(changes: ActivityChanges, { coupon }: CouponCandidate): Message | undefined {
  return changes.coupons.usedUp(useCounters(coupon, changes.input.state.doc._id));
}

function applyOne(
  changes: ActivityChanges,
  { candidate, lines }: AppliedCandidate<RequestedCoupon>,
  n: number,
): ProcessingError | undefined {
  const { coupon, code, issued, rule } = candidate;
  const { state } = changes.input;
  const byLine = lines?.map((line) => [line, candidate.byLine?.get(line) ?? noGain] as const);
  const gain = byLine ? sumOfGains(byLine.map(([, each]) => each)) : candidate.gain;
  const origin = couponOrigin(changes, candidate);
  const { couponCode, payPoints } = changes.input.activity;
  const isFree = coupon.kind !== 'reward' || issued !== undefined;
  const payment = { n, payPoints: code === couponCode ? payPoints : undefined };
  const { error, paid } = isFree ? freeOfCost : payFor(changes, coupon, payment, origin);
  if (error) return error;
  if (issued) changes.coupons.changeIssued({ ...issued, status: 'Used', usedBy: origin.activity });
  else changes.coupons.use(useCounters(coupon, state.doc._id));
  award(changes, gain.points, n, origin);
  const applied = {
    ...couponSnapshot(coupon),
    code,
    discount: gain.discount,
    points: gainPoints(gain),
    ...paid,
    ...(byLine ? { lineItems: byLine.map(([position, each]) => gainOfLine(position, each)) } : {}),
  };
  changes.coupons.applied.push({ ...applied, ...(rule ? { rule: rule._id } : {}) });
  for (const [line, share] of lineShares(gain, candidate.lines, byLine)) changes.coupons.byLine.set(line, share);
  changes.log.record('applyOffer', rule, { isApplied: true, ...applied });
  return undefined;
}

const freeOfCost = { error: undefined, paid: {} };

const noGain: Gain = { discount: 0, points: [] };

function gainOfLine(position: number, gain: Gain) {
  return { position, discount: gain.discount, points: gainPoints(gain) };
}

/**
 * The origin of the points of an offer or reward: the offer or reward itself and, when a rule applied it, the rule.
 */
function couponOrigin(changes: ActivityChanges, { coupon: { kind, record }, rule }: RequestedCoupon) {
  const { activityId: activity } = changes.input;
  return { activity, ...(rule ? changes.origin(rule) : {}), [kind]: record._id };
}

function award(
  changes: ActivityChanges,
  points: Gain['points'],
  n: number,
  origin: ReturnType<typeof couponOrigin>,
): void {
  const { state, ledger, activity } = changes.input;
  for (const each of points) {
    const policy = findPursePolicy(state, each.purse);
    if (!policy) continue;
    const lot = accrue(ledger, { purse: policy._id, points: each.points, date: activity.date, origin, n });
    changes.recordAward(state, lot, each.points, n);
  }
}

/**
 * The discount of each line item that named the offer. The discount of an offer for the whole activity is split over
 * these line items by their amounts. The shares add up to the discount.
 */
function lineShares(
  { discount }: Gain,
  named: RequestedCoupon['lines'],
  byLine: readonly (readonly [number, Gain])[] | undefined,
): (readonly [line: number, share: number])[] {
  if (byLine) {
    const own = byLine.filter(([line]) => named.some((each) => each.line === line));
    return own.map(([line, gain]) => [line, gain.discount] as const);
  }
  const total = named.reduce((sum, { amount }) => sum + amount, 0);
  let amountSoFar = 0;
  let sharedSoFar = 0;
  return named.map(({ line, amount }) => {
    amountSoFar += amount;
    const sharedUpTo = total === 0 ? 0 : Math.floor((discount * amountSoFar) / total);
    const share = sharedUpTo - sharedSoFar;
    sharedSoFar = sharedUpTo;
    return [line, share];
  });
}
