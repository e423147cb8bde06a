import type { ObjectId } from 'bson';
import type { Member } from '../../records/members/member';
import type { Ladder, LadderStep, MemberTier, TierLevelRef } from '../../records/members/memberTier';
import type { TierPolicy } from '../../records/programs/tierPolicy';
import { isSetByRule, type LadderInput, topOf } from './ladder';

/** Reasons for a change of a member's level. */
export const tierChangeReasons = ['reached', 'set', 'renewed', 'downgraded', 'expired', 'cancelled', 'merge'] as const;

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
    const top = known && topOf(known);
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
export function ladderOf({ ladders }: MemberTiers, policyId: ObjectId): Ladder | undefined {
  return ladders.find((ladder) => ladder.policyId.equals(policyId));
}

/** Replaces the ladder of a policy. A change of its level or expiry is added to the changes, with the reason. */
export function withLadder(
  book: MemberTiers,
  after: Ladder,
  { policy, ...note }: Pick<TierChange, 'why' | 'activity' | 'rule'> & { policy: Pick<TierPolicy, 'name'> },
): MemberTiers {
  const before = ladderOf(book, after.policyId);
  const others = book.ladders.filter(({ policyId }) => !policyId.equals(after.policyId));
  const ladders = after.steps.length === 0 ? others : [...others, after];
  const from = before && topOf(before);
  const to = topOf(after);
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
 * then the latest expiry. A tier from a merged member is firm: no cancellation revokes it.
 */
export function mergeTiers(
  survivor: MemberTiers,
  merged: readonly MemberTiers[],
  policies: readonly Pick<TierPolicy, '_id' | 'name'>[],
): MemberTiers {
  let book = survivor;
  for (const ladder of merged.flatMap(({ ladders }) => ladders)) {
    const policy = policies.find(({ _id }) => _id.equals(ladder.policyId));
    const held = ladderOf(book, ladder.policyId);
    const top = topOf(ladder);
    if (!policy || !top || (held && !isBetter(top, topOf(held)))) continue;
    book = withLadder(
      book,
      { ...ladder, steps: [{ ...top, isFirm: true, isSet: isSetByRule(top) }] },
      { policy, why: 'merge' },
    );
  }
  return book;
}

function isBetter(step: LadderStep, other: LadderStep | undefined): boolean {
  const [number, than] = [step.level.number, other?.level.number ?? -1];
  const lastsUntil = (each: LadderStep | undefined) => each?.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY;
  return number > than || (number === than && lastsUntil(step) > lastsUntil(other));
}

/** The reason for the change that {@link lapse} made. */
export function lapseReason(before: Ladder, after: Ladder): TierChange['why'] {
  const to = topOf(after);
  if (!to) return 'expired';
  return to.level.number === topOf(before)?.level.number ? 'renewed' : 'downgraded';
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
    const top = topOf(ladder);
    const policy = policies.find(({ _id }) => _id.equals(ladder.policyId));
    const named = policy ?? stored.find(({ policyId }) => policyId.equals(ladder.policyId));
    if (!top || !named) return [];
    const { level, since, expiresOn } = top;
    const { name, program } = named;
    return [{ policyId: ladder.policyId, name, program, level, since, ...(expiresOn ? { expiresOn } : {}) }];
  });
  return tiers.sort((a, b) => Buffer.compare(a.policyId.id, b.policyId.id));
}

/** The earliest date on which a tier is due. Tiers of removed policies are never due. */
export function nextTierDue(book: MemberTiers, policies: readonly LadderInput['policy'][]): Date | undefined {
  const dues = book.ladders.flatMap(({ due, policyId }) =>
    due && policies.some(({ _id }) => _id.equals(policyId)) ? [due] : [],
  );
  return dues.reduce<Date | undefined>((first, due) => (first && first <= due ? first : due), undefined);
}
