import type { ObjectId } from 'bson';
import { firstEnd } from '../aggregates/sums/lifetime';
import type { JournalEntry } from '../records/points/journalEntry';
import type { Lot } from '../records/points/lot';
import type { Purse } from '../records/points/purse';
import { lotFaults } from './lotFaults';
import { purseFaults } from './purseFaults';
import { rebuildFromJournal } from './replayJournal';

/** Everything stored of one member's ledger: all of its lots, spent ones too, and its whole journal. */
export interface MemberLedger {
  member: {
    readonly _id: ObjectId;
    /** Journal entries written so far. */
    readonly seq: number;
    /** Tiers that are to be looked at, each when. */
    readonly ladders?: readonly { readonly due?: Date | undefined }[] | undefined;
    /** Lifetime aggregates, and when the first of them ends. */
    readonly aggregates?: readonly { readonly expirationDate?: Date | undefined }[];
    readonly aggregatesEndAt?: Date | undefined;
    /** Earliest date at which a lot is due, or a tier to be looked at. */
    readonly nextDue?: Date | undefined;
    /** Members merged into it, whose lots are its own now. */
    readonly mergeIds?: readonly ObjectId[];
    /** The survivor, in whose ledger its lots are checked. */
    readonly mergedInto?: ObjectId | undefined;
  };
  purses: readonly Purse[];
  lots: readonly Lot[];
  entries: readonly JournalEntry[];
  /** What is wrong with its tiers, as sentences. */
  tierFaults?: readonly string[];
  /** Journals of the members merged into it, in the order of `mergeIds`; they keep their entries. */
  inherited?: readonly (readonly JournalEntry[])[];
}

/** Something that does not agree with the rest, as a sentence that names the ids. */
export interface Mismatch {
  /** Whose ledger it is of; missing of an org's counts. */
  member?: ObjectId;
  message: string;
}

/**
 * Checks the invariants of a ledger: the journal is without gap and adds up, purses are the sums of their lots and the
 * replay of the journal, the parts of every lot add up and are those that its journal entries made.
 * @returns nothing when all agrees
 */
export function checkInvariants({
  member,
  purses,
  lots,
  entries,
  inherited,
  tierFaults = [],
}: MemberLedger): Mismatch[] {
  const replay = rebuildFromJournal(entries, inherited);
  const messages = [
    ...replay.faults,
    ...seqFaults(member.seq, entries),
    ...purseFaults(purses, lots, replay),
    ...lotFaults(member, purses, lots, replay),
    ...nextDueFaults(member, purses),
    ...endFaults(member),
    ...tierFaults,
  ];
  return messages.map((message) => ({ member: member._id, message: `Member ${member._id}: ${message}` }));
}

/** Journal entries are numbered 1, 2, 3 ... and the member counts them. */
function seqFaults(seq: number, entries: readonly JournalEntry[]): string[] {
  const faults: string[] = [];
  const ids = new Map<number, ObjectId>();
  for (const entry of entries) {
    const other = ids.get(entry.seq);
    if (other) faults.push(`journal entries ${other} and ${entry._id} both have seq ${entry.seq}`);
    ids.set(entry.seq, entry._id);
  }
  const last = Math.max(seq, ...ids.keys());
  const missing = gaps(ids, last);
  if (missing) faults.push(`the journal has no entry with seq ${missing}, but goes to ${last}`);
  if (last > seq) faults.push(`the journal goes to seq ${last}, but the member counts ${seq} entries`);
  return faults;
}

/** How many missing numbers a sentence lists. */
const gapsNamed = 10;

function gaps(present: ReadonlyMap<number, unknown>, last: number): string {
  const missing: number[] = [];
  for (let seq = 1; seq <= last && missing.length <= gapsNamed; seq += 1) if (!present.has(seq)) missing.push(seq);
  const named = missing.slice(0, gapsNamed).join(', ');
  return missing.length > gapsNamed ? `${named} and more` : named;
}

function nextDueFaults({ nextDue, ladders = [] }: MemberLedger['member'], purses: readonly Purse[]): string[] {
  const times = purses
    .flatMap(({ nextEscrow, nextExpiry }) => [nextEscrow?.date, nextExpiry?.date])
    .concat(ladders.map(({ due }) => due))
    .flatMap((date) => (date ? [date.getTime()] : []));
  const first = times.length > 0 ? new Date(Math.min(...times)) : undefined;
  if (nextDue?.getTime() === first?.getTime()) return [];
  return [`nextDue is ${show(nextDue)}, but the first lot or tier is due ${show(first)}`];
}

function endFaults({ aggregates = [], aggregatesEndAt }: MemberLedger['member']): string[] {
  const first = firstEnd(aggregates);
  if (aggregatesEndAt?.getTime() === first?.getTime()) return [];
  return [`aggregatesEndAt is ${show(aggregatesEndAt)}, but the first aggregate ends ${show(first)}`];
}

function show(date: Date | undefined): string {
  return date ? date.toISOString() : 'never';
}
