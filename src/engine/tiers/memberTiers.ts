import type { ObjectId } from 'bson';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { Member } from '#records/members/member';
import { grantsMax, type Ladder, type MemberTier, type TierLevelRef } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { bestClaim, type Claim, isBetter, topStep } from './claims';
import { countForChallenges } from './grants';
import { isSetByRule } from './ladder';
import type { LadderInput } from './levels';
import { keptPeriods } from './reachedPeriods';

/** Reasons for a change of a member's level. */
export const tierChangeReasons = [
  'reached',
  'set',
  'kept',
  'renewed',
  'lifetime',
  'downgraded',
  'expired',
  'cancelled',
  'merge',
] as const;

/** One change of a member's tier, as the tier history stores it. */
export interface TierChange {
  policyId: ObjectId;
  /** Name of the tier policy. */
  name: string;
  from?: TierLevelRef;
  to?: TierLevelRef;
  why: (typeof tierChangeReasons)[number];
  expiresOn?: Date;
  /** The activity that caused the change, and the rule that set the level. */
  activity?: ObjectId;
  rule?: ObjectId;
}

/** The tiers of a member during a commit. A change makes a new value; the old one stays as it is. */
export interface MemberTiers {
  readonly ladders: readonly Ladder[];
  readonly changes: readonly TierChange[];
}

/**
 * Opens the tiers of a stored member. A tier is firm when its ladder is missing or does not match it: no cancellation
 * revokes it.
 */
export function openTiers({ tiers, ladders = [] }: Pick<Member, 'tiers' | 'ladders'>): MemberTiers {
  const opened = tiers.map(({ policyId, level, since, expiresOn }): Ladder => {
    const known = ladders.find((ladder) => ladder.policyId.equals(policyId));
    const top = known && bestClaim(known);
    if (known && top?.level.number === level.number && top.since.getTime() === since.getTime()) return known;
    const expiry = expiresOn ? { expiresOn } : {};
    return {
      policyId,
      steps: [{ level, since, isFirm: true, ...expiry }],
      ...(expiresOn ? { due: expiresOn } : {}),
    };
  });
  return { ladders: opened, changes: [] };
}

/** Finds the ladder of a policy; undefined when the member has no level of it. */
export function findLadder({ ladders }: MemberTiers, policyId: ObjectId): Ladder | undefined {
  return ladders.find((ladder) => ladder.policyId.equals(policyId));
}

/** Replaces the ladder of a policy. A change of its level or expiry is added to the changes, with the reason. */
export function withLadder(
  book: MemberTiers,
  after: Ladder,
  { policy, ...note }: Pick<TierChange, 'why' | 'activity' | 'rule'> & { policy: Pick<TierPolicy, 'name'> },
): MemberTiers {
  const before = findLadder(book, after.policyId);
  const others = book.ladders.filter(({ policyId }) => !policyId.equals(after.policyId));
  const from = before && bestClaim(before);
  const to = bestClaim(after);
  const ladders = to ? [...others, after] : others;
  const isSame = from?.level.number === to?.level.number && from?.expiresOn?.getTime() === to?.expiresOn?.getTime();
  if (isSame && note.why !== 'set') return { ...book, ladders };
  const change: TierChange = {
    policyId: after.policyId,
    name: policy.name,
    ...(from ? { from: from.level } : {}),
    ...(to ? { to: to.level } : {}),
    ...(to?.expiresOn ? { expiresOn: to.expiresOn } : {}),
    ...note,
  };
  return { ladders, changes: [...book.changes, change] };
}

/**
 * Merges the tiers of members. Under each policy the survivor gets the best tier of all members: the highest level,
 * then the latest expiry. It also gets all levels for a time and lifetime levels. A tier from a merged member is firm:
 * no cancellation revokes it.
 */
export function mergeTiers(
  survivor: MemberTiers,
  merged: readonly MemberTiers[],
  policies: readonly Pick<TierPolicy, '_id' | 'name'>[],
): MemberTiers {
  let book = survivor;
  for (const ladder of merged.flatMap(({ ladders }) => ladders)) {
    const policy = policies.find(({ _id }) => _id.equals(ladder.policyId));
    if (!policy) continue;
    const whole = united(findLadder(book, ladder.policyId) ?? { policyId: ladder.policyId, steps: [] }, ladder);
    book = withLadder(book, whole, { policy, why: 'merge' });
  }
  return book;
}

/** One ladder with the best of two. The caller settles it after the merge, which sets when it is due. */
function united(own: Ladder, other: Ladder): Ladder {
  const top = topStep(other);
  const isOther = top !== undefined && isBetter(top, topStep(own));
  const steps = isOther ? [{ ...top, isFirm: true, isSet: isSetByRule(top) }] : own.steps;
  const grants = [...(own.grants ?? []), ...(other.grants ?? [])].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  const [lifetime = own.lifetime] = [own.lifetime, other.lifetime]
    .flatMap((each) => each ?? [])
    .sort((a, b) => b.level.number - a.level.number || Number(a.isBySum) - Number(b.isBySum));
  const reached = keptPeriods([...(own.reached ?? []), ...(other.reached ?? [])]);
  const reachedLevels = [...(own.held ?? []), ...(other.held ?? [])].sort(
    (a, b) => a.since.getTime() - b.since.getTime(),
  );
  return {
    ...(isOther ? other : own),
    steps,
    ...(grants.length > 0 ? { grants: grants.slice(0, grantsMax) } : {}),
    ...(lifetime ? { lifetime } : {}),
    ...(reached.length > 0 ? { reached } : {}),
    ...(reachedLevels.length > 0
      ? { held: reachedLevels.filter((each, n) => reachedLevels.findIndex((a) => a.number === each.number) === n) }
      : {}),
  };
}

/** The reason for the change that {@link lapse} made. */
export function lapseReason(before: Ladder, after: Ladder): TierChange['why'] {
  const to = bestClaim(after);
  if (!to) return 'expired';
  if (isNewLifetime(before, after)) return 'lifetime';
  return to.level.number === bestClaim(before)?.level.number ? 'renewed' : 'downgraded';
}

/** Tells whether the level became a lifetime level by a move. */
export function isNewLifetime(before: Ladder | undefined, after: Ladder): boolean {
  return after.lifetime !== undefined && after.lifetime.level.number !== before?.lifetime?.level.number;
}

/**
 * Returns the tiers in the form that members show, sorted by policy id, with the current names of the policies.
 * @param stored the tiers as read; they give the name of a policy that was removed
 */
export function shownTiers(
  book: MemberTiers,
  policies: readonly Pick<TierPolicy, '_id' | 'name' | 'program'>[],
  stored: readonly MemberTier[],
): MemberTier[] {
  const tiers = book.ladders.flatMap((ladder): MemberTier[] => {
    const top = bestClaim(ladder);
    const policy = policies.find(({ _id }) => _id.equals(ladder.policyId));
    const named = policy ?? stored.find(({ policyId }) => policyId.equals(ladder.policyId));
    if (!top || !named) return [];
    const { level, since, expiresOn } = top;
    const { name, program } = named;
    const shown = { policyId: ladder.policyId, name, program, level, since, ...(expiresOn ? { expiresOn } : {}) };
    return [top.keep ? { ...shown, keep: withoutFrom(top.keep) } : shown];
  });
  return tiers.sort((a, b) => Buffer.compare(a.policyId.id, b.policyId.id));
}

function withoutFrom({ from: _from, ...keep }: NonNullable<Claim['keep']>): NonNullable<MemberTier['keep']> {
  return keep;
}

/** The tiers after changes of metrics, which count for challenges. Without a challenge nothing changes. */
export function withCounts(book: MemberTiers, entries: readonly MetricEntry[]): MemberTiers {
  if (!book.ladders.some(({ grants }) => grants)) return book;
  return { ...book, ladders: book.ladders.map((ladder) => countForChallenges(ladder, entries)) };
}

/** A ladder in the form in which members store it. */
export function storedLadder({ steps, grants, reached, ...ladder }: Ladder): NonNullable<Member['ladders']>[number] {
  const lists = { ...(grants ? { grants: [...grants] } : {}), ...(reached ? { reached: [...reached] } : {}) };
  return { ...ladder, steps: [...steps], ...lists };
}

/** The earliest date on which a tier is due. Tiers of removed policies are never due. */
export function nextTierDue(book: MemberTiers, policies: readonly LadderInput['policy'][]): Date | undefined {
  const dues = book.ladders.flatMap(({ due, policyId }) =>
    due && policies.some(({ _id }) => _id.equals(policyId)) ? [due] : [],
  );
  return dues.reduce<Date | undefined>((first, due) => (first && first <= due ? first : due), undefined);
}
