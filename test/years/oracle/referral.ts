import type { OracleMember } from './member';

/** That one member brought another one. */
export interface OracleReferral {
  by: OracleMember;
  of: OracleMember;
  status: 'Pending' | 'Completed';
}

/** Notes who referred a member that enrols. */
export function notePending(referrals: OracleReferral[], by: OracleMember, of: OracleMember): void {
  of.referredBy = by;
  referrals.push({ by, of, status: 'Pending' });
}

/**
 * Completes the referral of a member, once: by the owner of a code that was sent, else by who referred it.
 * @returns the referral; undefined when nobody, the member itself or somebody else referred it, when it was completed
 *   before, and when the member was paid for having brought the referrer
 */
export function complete(
  referrals: OracleReferral[],
  of: OracleMember,
  sent: OracleMember | undefined,
): OracleReferral | undefined {
  const by = sent ?? of.referredBy;
  if (!by || by === of || (of.referredBy && of.referredBy !== by)) return undefined;
  const isPaid = (one: OracleMember, other: OracleMember) =>
    referrals.some((each) => each.by === one && each.of === other && each.status === 'Completed');
  if (isPaid(by, of) || isPaid(of, by)) return undefined;
  const known = referrals.find((each) => each.by === by && each.of === of);
  const referral: OracleReferral = known ?? { by, of, status: 'Completed' };
  referral.status = 'Completed';
  if (!known) referrals.push(referral);
  of.referredBy = by;
  return referral;
}

/** Those who become one have one referrer, a completed one before others; a pending referral at another one goes. */
export function mergeReferrals(referrals: OracleReferral[], survivor: OracleMember, merged: OracleMember): void {
  const isOwn = (member: OracleMember | undefined) => member === survivor || member === merged;
  const isCompleted = ({ by }: { by: OracleMember | undefined }) =>
    referrals.some((each) => each.by === by && isOwn(each.of) && each.status === 'Completed');
  const referrers = [survivor.referredBy, merged.referredBy].flatMap((by) => (by && !isOwn(by) ? [{ by }] : []));
  survivor.referredBy = (referrers.find(isCompleted) ?? referrers[0])?.by;
  for (const referral of referrals) {
    if (referral.by === merged) referral.by = survivor;
    if (referral.of === merged) referral.of = survivor;
    if (referral.of.referredBy === merged) referral.of.referredBy = survivor;
  }
  const isLeft = ({ by, of, status }: OracleReferral) =>
    status === 'Completed' || (of !== survivor && by !== of) || (of === survivor && by === survivor.referredBy);
  const left = referrals.filter(isLeft);
  // Each completed one was paid, and stays.
  const isNeeded = (one: OracleReferral, at: number) =>
    one.status === 'Completed' ||
    !left.some((each, n) => each.by === one.by && each.of === one.of && (each.status === 'Completed' || n < at));
  referrals.splice(0, referrals.length, ...left.filter(isNeeded));
}

/** A completed referral is not paid any more: it is pending again, and goes where a pending one would go. */
export function withdraw(referrals: OracleReferral[], referral: OracleReferral): void {
  const { by, of } = referral;
  referral.status = 'Pending';
  const isPaidElse = referrals.some((each) => each !== referral && each.by === by && each.of === of);
  const at = referrals.indexOf(referral);
  if (at >= 0 && (by === of || of.referredBy !== by || isPaidElse)) referrals.splice(at, 1);
}
