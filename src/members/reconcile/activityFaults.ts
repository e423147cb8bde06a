import type { ObjectId } from 'bson';
import type { JournalEntry } from '#records/points/journalEntry';
import type { HistoryFigures } from './historyFigures';
import type { MemberRecords } from './memberRecords';
import { repeatedKey } from './repeatedKey';

/** Points that an activity awarded and burned, and debt that it made. */
interface Moved {
  id: ObjectId;
  accrued: number;
  burned: number;
  debt: number;
}

/**
 * Finds differences between histories and the journal: what an activity awarded and burned, activities without a
 * history, and the number of purchases that count.
 */
export function activityFaults(records: MemberRecords): string[] {
  const { member, entries, inherited, histories, historyById: known, deletedBefore, isArchived } = records;
  if (member.mergedInto) return [];
  const journal = movedByActivity([...entries, ...inherited.flat()]);
  const missing = [...journal].filter(([id]) => !known.has(id) && !isArchived(id)).map(([, { id }]) => id);
  return [
    // Retention deletes histories, and keeps the journal.
    ...(deletedBefore ? [] : missing.map((id) => `the journal names activity ${id}, which has no history`)),
    ...lostOfLots(records),
    ...histories
      .filter(({ key }) => isArchived(key))
      .map(({ _id }) => `activity ${_id} is in the archive, and has a history too`),
    ...histories.flatMap((history) => historyFaults(history, ofMember(records), journal.get(history.key))),
    ...countFaults(records),
  ];
}

/**
 * Retention and the archive keep the histories of lots that have points. A lot has points again when what was spent was
 * restored, after the history had gone.
 */
function lostOfLots({ lots, entries, inherited, historyById, deletedBefore, opening }: MemberRecords): string[] {
  if (!deletedBefore && opening.activities === 0) return [];
  const restored = new Set(
    [...entries, ...inherited.flat()].flatMap(({ kind, accrualItem }) =>
      kind === 'restore' && accrualItem ? [accrualItem.toHexString()] : [],
    ),
  );
  return lots.flatMap(({ _id, activity, availablePoints, escrowedPoints }) =>
    activity &&
    availablePoints + escrowedPoints > 0 &&
    !restored.has(_id.toHexString()) &&
    !historyById.has(activity.toHexString())
      ? [`lot ${_id} has points of activity ${activity}, which has no history`]
      : [],
  );
}

/** Only the first movements of an activity count here; what a cancellation does to them is of the cancellation. */
function movedByActivity(entries: readonly JournalEntry[]): Map<string, Moved> {
  const sums = new Map<string, Moved>();
  const keyOf = repeatedKey();
  for (const { kind, activity, available, escrow, debt } of entries) {
    if (!activity || (kind !== 'accrue' && kind !== 'burn')) continue;
    const key = keyOf(activity);
    const sum = sums.get(key) ?? { id: activity, accrued: 0, burned: 0, debt: 0 };
    sums.set(key, sum);
    if (kind === 'accrue') sum.accrued += available + escrow;
    else sum.burned -= available;
    sum.debt += debt;
  }
  return sums;
}

type OfMember = (effect: { member: ObjectId }) => boolean;

/** Tells whether an effect is one on the member, or on one of those merged into it. Most are on the member itself. */
function ofMember({ member: { _id }, ids }: MemberRecords): OfMember {
  return ({ member }) => member.equals(_id) || ids.has(member.toHexString());
}

function historyFaults(history: HistoryFigures, isOwn: OfMember, journal: Moved | undefined): string[] {
  const { accrued = [], burned = [], debts = [] } = history.effects ?? {};
  const hasTransfer = accrued.some(({ moved }) => moved);
  // An earlier version did not store which of the burned points were a transfer.
  const isUnclear = hasTransfer && burned.every(({ movedTo }) => !movedTo);
  const fault = (does: string, found: number, right = 0) =>
    found === right ? [] : [`activity ${history._id} ${does} ${found} points, but by the journal it is ${right}`];
  return [
    ...fault('awards', sumOf(accrued.filter((each) => !each.moved && isOwn(each))), journal?.accrued),
    ...(isUnclear ? [] : fault('burns', sumOf(burned.filter((each) => !each.movedTo && isOwn(each))), journal?.burned)),
    ...fault('owes', sumOf(debts.filter(isOwn)), journal?.debt),
  ];
}

function sumOf(effects: readonly { points: number }[]): number {
  return effects.reduce((sum, { points }) => sum + points, 0);
}

function countFaults(records: MemberRecords): string[] {
  const { member, histories, deletedBefore, opening } = records;
  const isOwn = ofMember(records);
  const present = histories.filter(
    ({ type, status, memberID }) => type === 'Accrual' && status === 'Processed' && isOwn({ member: memberID }),
  ).length;
  const counted = present + opening.purchases;
  const { processedAccruals } = member;
  if (deletedBefore ? processedAccruals >= counted : processedAccruals === counted) return [];
  return [`the member counts ${processedAccruals} purchases, but has ${counted}`];
}
