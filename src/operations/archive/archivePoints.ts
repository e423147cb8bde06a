import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import { inSnapshot } from '#base/db/inSnapshot';
import { distinctIds } from '#base/db/records';
import { historyMonthsMax } from '#insights/forecasts/breakage/redemptionCurve';
import { memberFaults } from '#members/reconcile/memberChecks';
import { memberRanges } from '#members/reconcile/memberRanges';
import { type MemberRecords, readMemberRecords } from '#members/reconcile/memberRecords';
import { openReconciledOrg } from '#members/reconcile/reconciledOrg';
import { deleteCounted } from '#operations/retention/deleteCounted';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import { notePoints } from './archivedPoints';
import type { ArchiveScope, MovedTo } from './archiveScope';
import type { PointsUnit, StoredEntry, StoredLot } from './pointsUnit';
import { type ArchivedRecord, recordLine } from './volumeFiles';

/** Fields of a lot in which clients may say who the member is. */
const lotProjection = { ext: 0 } as const;

/** The latest instant before which points may be archived: forecasts read the complete months since then. */
export function latestForPoints(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - historyMonthsMax, 1));
}

/**
 * Reads what may be archived of points, member by member: settled lots with all of their entries, and entries of no lot,
 * when all of it was made and dated before an instant, and none of the activities that changed it has a history. A
 * member whose records do not agree is left out.
 */
export async function* archivablePoints(
  db: Connection,
  { org, before, clock, onFaulty }: ArchiveScope,
): AsyncGenerator<ArchivedRecord['record'], void, undefined> {
  const reconciled = await openReconciledOrg(db, clock, org);
  for await (const range of memberRanges(reconciled)) {
    yield* await inSnapshot(db, async (at) => {
      const units: PointsUnit[] = [];
      for (const records of await readMemberRecords(reconciled, at, range)) {
        const plan = planUnits(records, before);
        if (plan.lots.length === 0 && plan.entries.length === 0) continue;
        if (memberFaults(records).length > 0) onFaulty(records.member._id);
        else units.push(...(await readUnits(db, at, org, plan)).filter((unit) => isOld(unit, before)));
      }
      return units;
    });
  }
}

/** The ids of lots, and of all the entries that go with them and without. */
interface Plan {
  lots: ObjectId[];
  entries: ObjectId[];
}

/** Lots and entries that nothing needs any more, as far as the records say that checks compare. */
function planUnits(records: MemberRecords, before: Date): Plan {
  const { member, lots, entries, inherited, historyById } = records;
  if (member.mergedInto) return { lots: [], entries: [] };
  const isFree = ({ kind, at, activity }: JournalEntry) =>
    kind !== 'opening' && at < before && !(activity && historyById.has(activity.toHexString()));
  const all = [...entries, ...inherited.flat()];
  const ofLots = groupBy(
    all.filter(({ accrualItem }) => accrualItem),
    ({ accrualItem }) => String(accrualItem),
  );
  const going = lots.filter(
    (lot) =>
      isSettled(lot) &&
      !(lot.activity && historyById.has(lot.activity.toHexString())) &&
      (ofLots.get(lot._id.toHexString()) ?? []).every(isFree),
  );
  const own = going.flatMap(({ _id }) => ofLots.get(_id.toHexString()) ?? []);
  const single = all.filter((entry) => !entry.accrualItem && isFree(entry));
  return { lots: going.map(({ _id }) => _id), entries: [...own, ...single].map(({ _id }) => _id) };
}

/** Nothing is left of the lot, and no return of debt would refill it: those refill the lots that repaid debt. */
function isSettled({ availablePoints, escrowedPoints, repaidPoints }: Lot): boolean {
  return availablePoints === 0 && escrowedPoints === 0 && repaidPoints === 0;
}

function isOld({ lot, entries }: PointsUnit, before: Date): boolean {
  // An item that was added with a key stays, so that it is added once.
  if (lot && (lot.externalId !== undefined || lot.createdAt >= before || lot.dtEscrowsOn >= before)) return false;
  return entries.every(({ createdAt }) => createdAt < before);
}

/** Reads lots and entries as they are stored, by their lots. */
async function readUnits(db: Connection, at: object, org: ObjectId, { lots, entries }: Plan): Promise<PointsUnit[]> {
  const foundLots = (await collectionOf(db, accrualItemResource)
    .find({ org, _id: { $in: lots } }, { ...at, projection: lotProjection })
    .sort({ _id: 1 })
    .toArray()) as StoredLot[];
  const foundEntries = (await collectionOf(db, journalResource)
    .find({ org, _id: { $in: entries } }, at)
    .sort({ member: 1, seq: 1 })
    .toArray()) as StoredEntry[];
  const byLot = groupBy(foundEntries, ({ accrualItem }) => String(accrualItem));
  return [
    ...foundLots.map((lot) => ({ _id: lot._id, lot, entries: byLot.get(lot._id.toHexString()) ?? [] })),
    ...foundEntries.filter(({ accrualItem }) => !accrualItem).map((entry) => ({ _id: entry._id, entries: [entry] })),
  ];
}

/**
 * Deletes lots and entries that a volume has, in the transaction that adds what they say to the sums that stay. A unit
 * that is not as in the file any more stays.
 * @returns how many units were deleted
 */
export async function movePoints(
  db: Connection,
  session: ClientSession,
  movedTo: MovedTo,
  records: readonly ArchivedRecord[],
): Promise<number> {
  const { author, now } = movedTo;
  const units = await unchangedUnits(db, session, author.org, records);
  if (units.length === 0) return 0;
  const lots = units.flatMap(({ lot }) => lot ?? []);
  const entries = units.flatMap((unit) => unit.entries);
  const ids = (rows: readonly { _id: ObjectId }[]) => rows.map(({ _id }) => _id);
  await deleteCounted(db, session, author, { path: 'accrualitems', ids: ids(lots), now });
  await deleteCounted(db, session, author, { path: 'journal', ids: ids(entries), now });
  await notePoints(db, session, movedTo, units);
  return units.length;
}

/** The units that are as in the file, and of whose activities none has a history. */
async function unchangedUnits(
  db: Connection,
  session: ClientSession,
  org: ObjectId,
  records: readonly ArchivedRecord[],
): Promise<PointsUnit[]> {
  const units = records.map(({ record, line }) => ({ unit: record as PointsUnit, line }));
  const found = await readUnits(db, { session }, org, {
    lots: units.flatMap(({ unit }) => unit.lot?._id ?? []),
    entries: units.flatMap(({ unit }) => unit.entries.map(({ _id }) => _id)),
  });
  const lines = new Map(units.map(({ unit, line }) => [unit._id.toHexString(), line]));
  const same = found.filter((unit) => recordLine(unit) === lines.get(unit._id.toHexString()));
  const named = same.flatMap(activitiesOf);
  const present = await collectionOf(db, activityHistoryResource)
    .find({ org, _id: { $in: distinctIds(named) } }, { session, projection: { _id: 1 } })
    .toArray();
  const isPresent = new Set(present.map(({ _id }) => _id.toHexString()));
  return same.filter((unit) => !activitiesOf(unit).some((id) => isPresent.has(id.toHexString())));
}

function activitiesOf({ lot, entries }: PointsUnit): ObjectId[] {
  return [...(lot?.activity ? [lot.activity] : []), ...entries.flatMap(({ activity }) => activity ?? [])];
}
