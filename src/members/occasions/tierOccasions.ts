import type { ObjectId } from 'bson';
import type { Author } from '#base/db/records';
import type { MemberTiers, TierChange } from '#engine/tiers/memberTiers';
import type { OccasionType } from '#records/activities/occasion';
import type { Submission } from '#records/activities/submission';
import type { Member } from '#records/members/member';
import type { Ladder, LadderStep } from '#records/members/memberTier';
import { type NewOccasion, occasionCancellation, occasionSubmission } from './occasionSubmission';

/** The tiers of a member before and after a commit. */
export interface MovedTiers {
  author: Author;
  member: Member;
  tiers: MemberTiers;
  wanted: ReadonlySet<OccasionType>;
  now: Date;
}

/**
 * The occasions of one commit's changes of levels. A level that a cancellation revokes takes its occasion back: the
 * occasion is cancelled too, or not posted when the same commit reached the level.
 */
export function tierOccasions(input: MovedTiers): Submission[] {
  const { author, member, tiers, wanted, now } = input;
  const policies = new Map(tiers.changes.map(({ policyId }) => [policyId.toHexString(), policyId]));
  return [...policies.values()].flatMap((policyId) => {
    const changes = tiers.changes.filter((change) => change.policyId.equals(policyId));
    const posted = tierMoves(input, changes).filter(({ type }) => wanted.has(type));
    const left = changes.flatMap(({ why, to }) => (why === 'cancelled' ? [to?.number ?? -1] : []));
    // A level that is reached again after the cancellation, in the same commit, has an occasion of its own.
    const isLost = ({ level }: LadderStep) => left.some((number) => level.number > number);
    const revoked = left.length > 0 ? revokedSteps(input, policyId).filter(isLost) : [];
    return [
      ...posted.map((each) => occasionSubmission(author, now, each)),
      ...revoked.map(({ level, since }) =>
        occasionCancellation(author, now, {
          ...reachedName(member._id, policyId, level.number, since),
          member: member._id,
        }),
      ),
    ];
  });
}

/** An occasion of a level, with the numbers of the levels. A member without a level has the number -1. */
type Move = NewOccasion & { fromNumber: number; toNumber: number };

function tierMoves(input: MovedTiers, changes: readonly TierChange[]): Move[] {
  let moves: Move[] = [];
  for (const [index, change] of changes.entries()) {
    const move = tierMove(input, change, index);
    if (!move) continue;
    const undone = moves.filter(({ type, toNumber }) => type === 'TierReached' && toNumber > move.toNumber);
    if (change.why !== 'cancelled' || undone.length === 0) {
      // A level that is reached, left and reached again in one commit has one occasion.
      if (!moves.some((each) => isSameLevel(each, move))) moves.push(move);
      continue;
    }
    moves = moves.filter((each) => !undone.includes(each));
    const before = Math.min(...undone.map(({ fromNumber }) => fromNumber));
    if (before > move.toNumber) moves.push({ ...move, fromNumber: before });
  }
  return moves;
}

function isSameLevel(one: Move, other: Move): boolean {
  return one.type === 'TierReached' && other.type === 'TierReached' && one.toNumber === other.toNumber;
}

function tierMove({ member, now }: MovedTiers, change: TierChange, index: number): Move | undefined {
  const { policyId, name: policy, from, to, why, activity: cause } = change;
  const fromNumber = from?.number ?? -1;
  const toNumber = to?.number ?? -1;
  // After a merge, the survivor has levels that were reached before: they are no new occasion.
  if (why === 'merge' || fromNumber === toNumber) return undefined;
  const occasion = {
    policy,
    ...(to && { level: to.name }),
    ...(from && { from: from.name }),
    why,
    ...(cause && { cause }),
  };
  const base = { member: member._id, date: now, occasion, fromNumber, toNumber };
  if (toNumber > fromNumber) return { ...base, ...reachedName(member._id, policyId, toNumber, now) };
  return { ...base, type: 'TierLost', at: now, idParts: [member._id, policyId, fromNumber, now.getTime(), index] };
}

/**
 * The name of the occasion of a reached level. A level is reached at the instant of its commit, which is the `since` of
 * its step.
 */
function reachedName(member: ObjectId, policyId: ObjectId, level: number, since: Date) {
  return { type: 'TierReached' as const, at: since, idParts: [member, policyId, level, since.getTime()] };
}

/** The steps that were the level of the member once and that are gone. */
function revokedSteps({ member, tiers, wanted }: MovedTiers, policyId: ObjectId): LadderStep[] {
  if (!wanted.has('TierReached')) return [];
  const before = ladderSteps(member.ladders, policyId);
  const after = ladderSteps(tiers.ladders, policyId);
  // When the metric reached a level only after `since`, a rule had given the level at `since`; that occasion stays.
  // After a late activity, `reachedBy` is the earlier date of that activity.
  const own = before.filter(({ isFirm, since, reachedBy = since }) => !isFirm && reachedBy <= since);
  const gone = own.filter((step) => !after.some((other) => isSame(step, other)));
  // A member who rises by several levels at once reaches the highest of them.
  return gone.filter((step) => !before.some((other) => isAbove(other, step)));
}

function ladderSteps(ladders: readonly Ladder[] = [], policyId: ObjectId): readonly LadderStep[] {
  return ladders.find((ladder) => ladder.policyId.equals(policyId))?.steps ?? [];
}

function isSame(step: LadderStep, other: LadderStep): boolean {
  return step.level.number === other.level.number && step.since.getTime() === other.since.getTime();
}

function isAbove(other: LadderStep, { level, since }: LadderStep): boolean {
  return other.since.getTime() === since.getTime() && other.level.number > level.number;
}
