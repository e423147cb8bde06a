import type { ObjectId } from 'bson';
import { firstEnd } from '#engine/sums/lifetime';
import type { ArchivedPurse } from '#records/archives/archiveOpening';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import { lotFaults } from './lotFaults';
import { openingFaults } from './openingFaults';
import { type ArchivedLots, purseFaults } from './purseFaults';
import { rebuildFromJournal } from './rebuildFromJournal';

/** Everything that is stored of one member's ledger: all lots, including spent ones, and the whole journal. */
export interface MemberLedger {
  member: {
    readonly _id: ObjectId;
    /** The number of journal entries written so far. */
    readonly seq: number;
    /** The ladder of each tier policy; `due` is when the ladder must next be settled. */
    readonly ladders?: readonly { readonly due?: Date | undefined }[] | undefined;
    /** Lifetime aggregates. */
    readonly aggregates?: readonly { readonly expirationDate?: Date | undefined }[];
    /** When the first of the lifetime aggregates ends. */
    readonly aggregatesEndAt?: Date | undefined;
    /** The earliest date at which a lot or a ladder must be settled. */
    readonly nextDue?: Date | undefined;
    /** Members merged into this one; their lots belong to this member now. */
    readonly mergeIds?: readonly ObjectId[];
    /** The survivor of a merge; the lots are checked in the survivor's ledger. */
    readonly mergedInto?: ObjectId | undefined;
  };
  purses: readonly Purse[];
  lots: readonly Lot[];
  entries: readonly JournalEntry[];
  /** Journals of the members in `mergeIds`, in the same order. A merge does not move journal entries. */
  inherited?: readonly (readonly JournalEntry[])[];
  /** What was archived of the member's own journal, by purse. */
  archived?: readonly ArchivedPurse[];
  /** What the archived lots of the member and of those merged into it add up to, by purse. */
  archivedLots?: readonly ArchivedLots[];
}

/** A difference between stored records, as a sentence that names their ids. */
export interface Mismatch {
  /** The member whose records are wrong; absent when the record is of no member. */
  member?: ObjectId;
  message: string;
}

/**
 * Checks the invariants of a ledger:
 * - the journal has no gap, and its balances add up;
 * - each purse equals the sums of its lots and the replay of the journal;
 * - the parts of each lot add up and equal the replay of its journal entries.
 * @returns the mismatches; an empty list when everything agrees
 */
export function checkInvariants(ledger: MemberLedger): Mismatch[] {
  return ledgerFaults(ledger).map((fault) => memberMismatch(ledger.member._id, fault));
}

/** The same as {@link checkInvariants}, as sentences that do not name the member. */
export function ledgerFaults(ledger: MemberLedger): string[] {
  const { member, purses, lots, entries, inherited, archived = [], archivedLots = [] } = ledger;
  const replay = rebuildFromJournal(entries, inherited);
  return [
    ...replay.faults,
    ...seqFaults(member.seq, entries, archived),
    ...openingFaults(archived, entries),
    ...purseFaults(purses, lots, replay, archivedLots),
    ...lotFaults(member, purses, lots, replay),
    ...nextDueFaults(member, purses),
    ...endFaults(member),
  ];
}

/** The mismatch for a fault of a member. */
export function memberMismatch(member: ObjectId, fault: string): Mismatch {
  return { member, message: `Member ${member}: ${fault}` };
}

/**
 * Journal entries have the numbers 1, 2, 3, ... and `member.seq` is the last of them. As many as were archived are missing
 * before the last of these; an `opening` entry has the number of an archived one.
 */
function seqFaults(seq: number, entries: readonly JournalEntry[], archived: readonly ArchivedPurse[]): string[] {
  const faults: string[] = [];
  const ids = new Map<number, ObjectId>();
  for (const entry of entries) {
    const other = ids.get(entry.seq);
    if (other) faults.push(`journal entries ${other} and ${entry._id} both have seq ${entry.seq}`);
    ids.set(entry.seq, entry._id);
  }
  const last = entries.reduce((max, entry) => Math.max(max, entry.seq), seq);
  const openings = entries.filter(({ kind }) => kind === 'opening');
  const openedUpTo = Math.max(0, ...archived.map((each) => each.seq));
  const gone = archived.reduce((sum, each) => sum + each.entries, 0) - openings.length;
  const present = [...ids.keys()].filter((each) => each <= openedUpTo).length;
  if (openedUpTo - present !== gone)
    faults.push(`the journal lacks ${openedUpTo - present} entries up to seq ${openedUpTo}, but ${gone} are archived`);
  const missing = gaps(ids, openedUpTo, last);
  if (missing) faults.push(`the journal has no entry with seq ${missing}, but goes to ${last}`);
  if (last > seq) faults.push(`the journal goes to seq ${last}, but the member counts ${seq} entries`);
  return faults;
}

/** The most missing numbers that one sentence lists. */
const gapsNamed = 10;

/** The numbers after `first` that are missing. */
function gaps(present: ReadonlyMap<number, unknown>, first: number, last: number): string {
  const missing: number[] = [];
  for (let seq = first + 1; seq <= last && missing.length <= gapsNamed; seq += 1)
    if (!present.has(seq)) missing.push(seq);
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
