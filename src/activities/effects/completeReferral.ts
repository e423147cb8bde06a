import type { ActivityChanges } from '#activities/state/activityChanges';
import { findPursePolicy, unknownPurse } from '#activities/state/checkActivity';
import { accrue } from '#engine/points/ledger/accrue';
import type { Ledger } from '#engine/points/ledger/ledger';
import type { ActingRule, ReferralAward, Refusal } from '#engine/rules/actions/actionTarget';
import type { MemberState } from '#members/memberState/memberState';
import { referralsMax } from '#records/members/member';
import type { PursePolicy } from '#records/programs/pursePolicy';

/**
 * Awards points to both members of a referral. A member's referral completes once; later attempts only write a log
 * line.
 */
export function completeReferral(changes: ActivityChanges, effect: ReferralAward, rule: ActingRule): Refusal {
  const { state } = changes.input;
  const policy = findPursePolicy(state, effect.purse);
  if (!policy) return unknownPurse(effect.purse, rule);
  const referrer = changes.referrer();
  const reason = referrer ? obstacle(changes, referrer) : 'nobody referred the member';
  if (!referrer || reason !== undefined) {
    changes.log.record(effect.type, rule, { isCompleted: false, reason });
    return undefined;
  }
  noteReferral(changes, referrer);
  const { points, referrerPoints, n } = effect;
  const award = { changes, policy, rule, n };
  if (points > 0) awardTo({ ...award, state, ledger: changes.input.ledger }, points);
  if (referrerPoints > 0) awardTo({ ...award, ...changes.others.open(referrer) }, referrerPoints);
  changes.log.record(effect.type, rule, { isCompleted: true, referrer: referrer.doc._id, points, referrerPoints });
  return undefined;
}

function obstacle(changes: ActivityChanges, referrer: MemberState): string | undefined {
  const { doc } = changes.input.state;
  const { referredBy = doc.referredBy, referrals: ownReferrals = doc.referrals } = changes.referral;
  if (referrer.doc._id.equals(doc._id)) return 'nobody refers oneself';
  if (referrer.doc.status !== 'Active') return `the referrer is ${referrer.doc.status}, not Active`;
  if (referredBy && !isSame(referrer, referredBy)) return 'another member referred the member';
  const isReturned = ownReferrals.some(
    ({ status, referred }) => status === 'Completed' && referred && isSame(referrer, referred),
  );
  if (isReturned) return 'the member referred the referrer before, and two who refer each other are paid once';
  const { referrals = referrer.doc.referrals } = changes.others.open(referrer).referral;
  const own = referrals.filter(({ referred }) => referred && isSame(changes.input.state, referred));
  if (own.some(({ status }) => status === 'Completed')) return 'the referral was completed before';
  return own.length === 0 && referrals.length >= referralsMax ? 'the referrer has too many referrals' : undefined;
}

/** True when the id is the member's, or that of a member merged into it. */
function isSame({ doc }: MemberState, id: MemberState['doc']['_id']): boolean {
  return doc._id.equals(id) || doc.mergeIds.some((merged) => merged.equals(id));
}

function noteReferral(changes: ActivityChanges, referrer: MemberState): void {
  const { state } = changes.input;
  const other = changes.others.open(referrer);
  const { referrals = referrer.doc.referrals } = other.referral;
  const kept = referrals.filter(({ referred }) => !referred || !isSame(state, referred));
  const done = { code: referrer.doc.referralCode, status: 'Completed' as const, referred: state.doc._id };
  other.referral = { ...other.referral, referrals: [...kept, done] };
  changes.referral = { ...changes.referral, referredBy: referrer.doc._id };
  changes.noteReferral({ referrer: referrer.doc._id, referred: state.doc._id });
}

interface Awarding {
  changes: ActivityChanges;
  policy: PursePolicy;
  rule: ActingRule;
  n: number;
  state: MemberState;
  ledger: Ledger;
}

function awardTo({ changes, policy, rule, n, state, ledger }: Awarding, points: number): void {
  const member = state.doc._id;
  const isOwn = member.equals(changes.input.state.doc._id);
  const origin = changes.origin(rule);
  const lot = accrue(ledger, {
    purse: policy._id,
    points,
    date: changes.input.activity.date,
    origin,
    n,
    // One action makes two lots under one purse policy. The holder makes the id of the referrer's lot different.
    ...(isOwn ? {} : { holder: member }),
  });
  changes.recordAward(state, lot, points, n);
}
