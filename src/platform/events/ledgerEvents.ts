import type { ObjectId } from 'bson';
import type { TierChange } from '#engine/tiers/memberTiers';
import type { EventData, StoredEvent } from '#records/events/event';
import type { PostedEntry, PostedKind } from '#records/points/journalEntry';

/** What one commit changes in a member's ledger and tiers, as far as its events say it. */
export interface LedgerChanged {
  program: ObjectId;
  memberId: ObjectId;
  set: { purses: readonly { policyId: ObjectId; name: string }[] };
  entries: readonly PostedEntry[];
  tierChanges?: readonly TierChange[];
}

/** The type of event of a journal entry. What moves between purses or repays debt is neither earned nor redeemed. */
const typeOf = {
  accrue: 'points.earned',
  release: 'points.released',
  burn: 'points.redeemed',
  expire: 'points.expired',
  reverse: 'points.reversed',
  restore: 'points.reversed',
  repay: 'points.adjusted',
  transferIn: 'points.adjusted',
  transferOut: 'points.adjusted',
  adjust: 'points.adjusted',
} as const satisfies Record<PostedKind, `points.${string}`>;

/** Finds the key of a rule by its id. */
export type RuleKeyOf = (rule: ObjectId) => string | undefined;

const noKeys: RuleKeyOf = () => undefined;

/** The events of a change of a member: points in the order of the journal, then tiers. */
export function ledgerEvents(changed: LedgerChanged, now: Date, keyOf: RuleKeyOf = noKeys): StoredEvent[] {
  const points = pointsEvents(changed, now, keyOf);
  return changed.tierChanges && changed.tierChanges.length > 0 ? [...points, ...tierEvents(changed)] : points;
}

function tierEvents({ program, memberId: member, tierChanges = [] }: LedgerChanged): StoredEvent[] {
  return tierChanges.map(({ name: policy, policyId, from, to, why, expiresOn, activity }) => ({
    type: 'tier.changed',
    program,
    member,
    data: {
      policy,
      policyId,
      why,
      ...(from && { from }),
      ...(to && { to }),
      ...(expiresOn && { expiresOn }),
      ...(activity && { activity }),
    },
  }));
}

function pointsEvents(
  { program, memberId: member, set, entries }: LedgerChanged,
  now: Date,
  keyOf: RuleKeyOf,
): StoredEvent[] {
  const events: StoredEvent[] = [];
  let from = 0;
  for (let next = 1; next <= entries.length; next += 1) {
    const [first, last, after] = [entries[from], entries[next - 1], entries[next]];
    if (!first || !last || (after && isOneEvent(first, after))) continue;
    const purse = set.purses.find(({ policyId }) => policyId.equals(first.purse))?.name ?? '';
    const group = { first, last, points: sumPoints(entries, from, next), entries: next - from };
    events.push({ type: typeOf[first.kind], program, member, data: pointsData(group, { purse, now, keyOf }) });
    from = next;
  }
  return events;
}

function sumPoints(entries: readonly PostedEntry[], from: number, to: number): number {
  let points = 0;
  for (let index = from; index < to; index += 1) points += entries[index]?.points ?? 0;
  return points;
}

/**
 * Tells whether two consecutive entries share one event, such as the lots that one redemption burns. Each award and
 * each change by hand has an event of its own, because it names its accrual item.
 */
function isOneEvent(first: PostedEntry, next: PostedEntry): boolean {
  const { kind } = first;
  if (kind === 'accrue' || kind === 'adjust' || next.kind !== kind || !next.purse.equals(first.purse)) return false;
  return (
    next.at.getTime() === first.at.getTime() && isSame(first.activity, next.activity) && isSame(first.rule, next.rule)
  );
}

function isSame(one: ObjectId | undefined, other: ObjectId | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && one.equals(other));
}

/** Entries that share one event. */
interface Group {
  first: PostedEntry;
  last: PostedEntry;
  points: number;
  entries: number;
}

function pointsData(
  { first, last, points, entries }: Group,
  { purse, now, keyOf }: { purse: string; now: Date; keyOf: RuleKeyOf },
): EventData<'points.earned'> {
  const { accrualItem, activity, kind, at } = first;
  const rule = first.rule && keyOf(first.rule);
  return {
    // Own fields come before copies: this makes the object much faster to create (decision 16).
    purse,
    purseId: first.purse,
    points,
    kind,
    seq: last.seq,
    entries,
    balanceAfter: last.balanceAfter,
    availAfter: last.availAfter,
    ...(accrualItem && entries === 1 ? { accrualItem } : undefined),
    ...(activity ? { activity } : undefined),
    ...(rule === undefined ? undefined : { rule }),
    ...(at < now ? { effectiveAt: at } : undefined),
  };
}
