import type { ObjectId } from 'bson';
import type { Member } from '../../records/members/member';
import type { HeldLevel, Ladder, MemberTier, Step } from '../../records/members/memberTier';
import type { TierPolicy } from '../../records/programs/tierPolicy';
import { isSetByRule, type LadderInput, topOf } from './ladder';

/** Why the level of a member changed. */
export const tierChangeReasons = ['reached', 'set', 'renewed', 'downgraded', 'expired', 'cancelled', 'merge'] as const;

/** One change of a member's tier, as its history tells it. */
export interface TierChange {
  policyId: ObjectId;
  /** Name of the tier policy. */
  name: string;
  from?: HeldLevel;
  to?: HeldLevel;
  why: (typeof tierChangeReasons)[number];
  expiresOn?: Date;
  /** The activity that brought it, and the rule that set it. */
  activity?: ObjectId;
  rule?: ObjectId;
}

/** The tiers of a member as a commit works on them; a value that is replaced, never changed in place. */
export interface TierBook {
  readonly ladders: readonly Ladder[];
  readonly changes: readonly TierChange[];
}

/** The tiers of a stored member. A tier without its ladder, or with another's, stands firm. */
export function openTiers({ tiers, ladders = [] }: Pick<Member, 'tiers' | 'ladders'>): TierBook {
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

/** The ladder of a policy, if the member has a level of it. */
export function ladderOf({ ladders }: TierBook, policyId: ObjectId): Ladder | undefined {
  return ladders.find((ladder) => ladder.policyId.equals(policyId));
}

/** The book with this ladder in the place of its former value; a change of its level is noted with why. */
export function withLadder(
  book: TierBook,
  after: Ladder,
  { policy, ...note }: Pick<TierChange, 'why' | 'activity' | 'rule'> & { policy: Pick<TierPolicy, 'name'> },
): TierBook {
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
 * The tiers of the survivor of a merge: under each policy the best that one of the members has, by level and then by how
 * long it lasts. One that comes from a merged member stands firm.
 */
export function mergeTiers(
  survivor: TierBook,
  merged: readonly TierBook[],
  policies: readonly Pick<TierPolicy, '_id' | 'name'>[],
): TierBook {
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

function isBetter(step: Step, other: Step | undefined): boolean {
  const [number, than] = [step.level.number, other?.level.number ?? -1];
  const lastsUntil = (each: Step | undefined) => each?.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY;
  return number > than || (number === than && lastsUntil(step) > lastsUntil(other));
}

/** What a lapse of a level came to. */
export function lapseReason(before: Ladder, after: Ladder): TierChange['why'] {
  const to = topOf(after);
  if (!to) return 'expired';
  return to.level.number === topOf(before)?.level.number ? 'renewed' : 'downgraded';
}

/**
 * The tiers as members show them, in the order of their policies' ids; names are the policies' present ones.
 * @param stored the tiers as read, for those whose policy exists no more
 */
export function shownTiers(
  book: TierBook,
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

/** The earliest date at which a tier is to be looked at; those of policies that exist no more never are. */
export function nextTierDue(book: TierBook, policies: readonly LadderInput['policy'][]): Date | undefined {
  const dues = book.ladders.flatMap(({ due, policyId }) =>
    due && policies.some(({ _id }) => _id.equals(policyId)) ? [due] : [],
  );
  return dues.reduce<Date | undefined>((first, due) => (first && first <= due ? first : due), undefined);
}
