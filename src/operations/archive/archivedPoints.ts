import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf, updateAll } from '#base/db/collections';
import { derivedId, newStamps, updateStamps } from '#base/db/records';
import { raiseCount } from '#operations/retention/deleteCounted';
import { type ArchivedPurse, archiveOpeningResource } from '#records/archives/archiveOpening';
import { journalResource } from '#records/points/journal';
import type { JournalEntry } from '#records/points/journalEntry';
import type { MovedTo } from './archiveScope';
import type { PointsUnit, StoredEntry, StoredLot } from './pointsUnit';
import { type NotedBy, sumsUpdate } from './sumsUpdate';

/** What goes of one member: entries of its own journal, and lots that are its own. */
interface Going {
  member: ObjectId;
  units: number;
  entries: StoredEntry[];
  lots: StoredLot[];
}

/**
 * Adds what units say to the sums that stay, in the transaction that has deleted them. Each purse of a journal gets an
 * `opening` entry in place of its archived entries, so the entries of a purse still add up to its balance.
 */
export async function notePoints(
  db: Connection,
  session: ClientSession,
  { author, now }: MovedTo,
  units: readonly PointsUnit[],
): Promise<void> {
  const { org } = author;
  const going = goingByMember(units);
  const found = await collectionOf(db, archiveOpeningResource)
    .find({ org, member: { $in: going.map(({ member }) => member) } }, { session })
    .toArray();
  const known = new Map(found.map((opening) => [opening.member.toHexString(), opening]));
  const openings = [];
  const updates = [];
  let added = 0;
  for (const each of going) {
    const before = known.get(each.member.toHexString());
    const purses = (before?.purses ?? []).map((purse) => ({ ...purse }));
    for (const lot of each.lots) addLot(purseOf(purses, lot.purse), lot);
    for (const entries of groupBy(each.entries, ({ purse }) => purse.toHexString()).values()) {
      const last = entries.reduce((one, other) => (other.seq > one.seq ? other : one));
      const sums = purseOf(purses, last.purse);
      if (sums.entries === 0) added += 1;
      await addEntries(db, session, { org, member: each.member, sums, last }, entries);
      openings.push(openingEntry({ author, now }, each.member, sums, last.seq === sums.seq ? last : undefined));
    }
    const sums = { member: each.member, purses, units: (before?.units ?? 0) + each.units };
    const id = derivedId('archiveOpening', org, each.member);
    updates.push(sumsUpdate({ author, now }, id, sums, { activities: 0, purchases: 0, metrics: [] }));
  }
  await updateAll(db, session, archiveOpeningResource.path, updates);
  await updateAll(db, session, journalResource.path, openings);
  await raiseCount(db, session, author, { path: 'journal', by: added, now });
}

/** A unit counts with the member of its lot, or of its entry. */
function goingByMember(units: readonly PointsUnit[]): Going[] {
  const all = new Map<string, Going>();
  const of = (member: ObjectId) => {
    const own = all.get(member.toHexString()) ?? { member, units: 0, entries: [], lots: [] };
    all.set(member.toHexString(), own);
    return own;
  };
  for (const { lot, entries } of units) {
    const owner = lot?.member ?? entries[0]?.member;
    if (owner) of(owner).units += 1;
    if (lot) of(lot.member).lots.push(lot);
    for (const entry of entries) of(entry.member).entries.push(entry);
  }
  return [...all.values()];
}

function purseOf(purses: ArchivedPurse[], purse: ObjectId): ArchivedPurse {
  const known = purses.find((each) => each.purse.equals(purse));
  if (known) return known;
  const none = { accrued: 0, burned: 0, expired: 0, charged: 0, keptBalance: 0, keptAvail: 0 };
  const made = { purse, seq: 0, entries: 0, available: 0, escrow: 0, debt: 0, ...none };
  purses.push(made);
  return made;
}

function addLot(
  sums: ArchivedPurse,
  { accruedPoints, burnedPoints, expiredPoints, chargedPoints = 0 }: StoredLot,
): void {
  sums.accrued += accruedPoints;
  sums.burned += burnedPoints;
  sums.expired += expiredPoints;
  sums.charged += chargedPoints;
}

/** The purse of a journal whose sums are raised, and the last of its entries that goes. */
interface RaisedPurse {
  org: ObjectId;
  member: ObjectId;
  sums: ArchivedPurse;
  last: StoredEntry;
}

async function addEntries(
  db: Connection,
  session: ClientSession,
  { org, member, sums, last }: RaisedPurse,
  going: readonly StoredEntry[],
): Promise<void> {
  for (const { seq, at, available, escrow, debt, balanceAfter, availAfter } of going) {
    sums.entries += 1;
    if (!sums.at || at > sums.at) sums.at = at;
    sums.available += available;
    sums.escrow += escrow;
    sums.debt += debt;
    if (seq > sums.seq) continue;
    sums.keptBalance -= balanceAfter;
    sums.keptAvail -= availAfter;
  }
  if (last.seq <= sums.seq) return;
  const kept = await collectionOf(db, journalResource)
    .find({ org, member, purse: sums.purse, seq: { $gt: sums.seq, $lt: last.seq } }, { session })
    .project<Pick<JournalEntry, 'balanceAfter' | 'availAfter'>>({ balanceAfter: 1, availAfter: 1 })
    .toArray();
  for (const { balanceAfter, availAfter } of kept) {
    sums.keptBalance += balanceAfter;
    sums.keptAvail += availAfter;
  }
  sums.seq = last.seq;
}

/** The update that stores the opening entry of a purse. Without `last`, the number and the balance stay as they are. */
function openingEntry(by: NotedBy, member: ObjectId, sums: ArchivedPurse, last: StoredEntry | undefined) {
  const { author, now } = by;
  const { purse, seq, at, available, escrow, debt } = sums;
  const points = available + escrow - debt;
  const place = last && { seq, balanceAfter: last.balanceAfter, availAfter: last.availAfter };
  const { _id, org, createdAt, createdBy } = newStamps(
    author,
    now,
    derivedId('journalOpening', author.org, member, purse),
  );
  const fields = { member, purse, kind: 'opening', available, escrow, debt, points, at, ...place };
  return {
    q: { _id, org, member },
    u: { $set: { ...fields, ...updateStamps(author, now) }, $setOnInsert: { createdAt, createdBy } },
    upsert: true,
  };
}
