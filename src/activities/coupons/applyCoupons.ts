import { bestOfGroups, type Candidate, pointsOf } from '../../offers/bestOfGroups';
import { couponSnapshot } from '../../offers/coupon';
import { useCounters } from '../../offers/useCounters';
import { accrue } from '../../points/ledger/accrue';
import type { ProcessingError } from '../../records/activities/activityHistory';
import { spend } from '../effects/spend';
import { refused } from '../state/checkActivity';
import type { LedgerTarget } from '../state/ledgerTarget';
import { purseOf } from '../state/purseOf';
import { type AskedCoupon, askedCoupons } from './askedCoupons';

/**
 * Applies the offers and rewards that an activity names or rules apply, when all rules are through
 * (docs/decisions/0010): of each stack group the best. What a client named and cannot be used refuses the activity; an
 * offer of a rule is passed over.
 */
export function applyCoupons(target: LedgerTarget): ProcessingError | undefined {
  const candidates: AskedCoupon[] = [];
  for (const asked of askedCoupons(target)) {
    const fault = asked.fault ?? (asked.issued ? undefined : usedUp(target, asked));
    if (fault === undefined) candidates.push(asked);
    else if (asked.isSent) return refused(2500, `The coupon code ${asked.code} ${fault}`);
    else target.log.note('applyOffer', { code: asked.code, isApplied: false, reason: `the offer ${fault}` });
  }
  const { best, lost } = bestOfGroups(candidates);
  for (const { code } of lost) {
    target.log.note('applyOffer', { code, isApplied: false, reason: 'another of its stack group gives more' });
  }
  for (const [n, candidate] of best.entries()) {
    const error = applyOne(target, candidate, n);
    if (error) return error;
  }
  return undefined;
}

function usedUp(target: LedgerTarget, { coupon }: Candidate): string | undefined {
  return target.coupons.usedUp(useCounters(coupon, target.input.state.doc._id));
}

function applyOne(target: LedgerTarget, asked: AskedCoupon, n: number): ProcessingError | undefined {
  const { coupon, gain, code, issued, lines } = asked;
  const points = pointsOf(gain);
  // A discount that comes to nothing uses nothing up; without one it is the thing itself that is had.
  if (coupon.record.discount && gain.discount + points === 0) {
    target.log.note('applyOffer', { code, isApplied: false, reason: 'it comes to nothing' });
    return undefined;
  }
  const { activityId, state } = target.input;
  const cost = coupon.kind === 'reward' && !issued ? coupon.record.cost : undefined;
  const error = cost && spend(target, { ...cost, n }, { activity: activityId });
  if (error) return error;
  if (issued) target.coupons.changeIssued({ ...issued, status: 'Used', usedBy: activityId });
  else target.coupons.use(useCounters(coupon, state.doc._id));
  award(target, gain.points, n);
  const applied = { ...couponSnapshot(coupon), code, discount: gain.discount, points };
  target.coupons.applied.push(applied);
  for (const [line, share] of sharesOf(gain.discount, lines)) target.coupons.byLine.set(line, share);
  target.log.note('applyOffer', { isApplied: true, ...applied });
  return undefined;
}

function award(target: LedgerTarget, points: Candidate['gain']['points'], n: number): void {
  const { state, ledger, activity, activityId } = target.input;
  for (const each of points) {
    const policy = purseOf(state, each.purse);
    if (!policy) continue;
    const origin = { activity: activityId };
    const lot = accrue(ledger, { purse: policy._id, points: each.points, date: activity.date, origin, n });
    target.awarded(state, lot, each.points, n);
  }
}

/** The discount, shared among line items by their amounts; the shares add up to it. */
function sharesOf(discount: number, lines: AskedCoupon['lines']): [line: number, share: number][] {
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
