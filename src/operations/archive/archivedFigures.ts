import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { isUncountedHistory, metricsOf, usesOf } from '#members/reconcile/historySums';
import type { ActivityHistory } from '#records/activities/activityHistory';
import { archivedUseResource } from '#records/archives/archivedUse';
import { type ArchiveOpening, archiveOpeningResource } from '#records/archives/archiveOpening';
import { type NotedBy, sumsUpdate } from './sumsUpdate';

type Sums = Omit<ArchiveOpening, '_id' | 'org' | 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy'>;

/**
 * Adds what histories say to the sums that stay: of each member, and of each limit, budget and coupon. It runs in the
 * transaction that deletes them, so each history counts either there or here.
 */
export async function noteArchived(
  db: Connection,
  session: ClientSession,
  { author, now }: NotedBy,
  histories: readonly ActivityHistory[],
): Promise<void> {
  const sums = sumByMember(histories);
  const found = await collectionOf(db, archiveOpeningResource)
    .find({ org: author.org, member: { $in: [...sums.values()].map(({ member }) => member) } }, { session })
    .toArray();
  for (const opening of found) {
    const more = sums.get(opening.member.toHexString());
    if (more) addTo(more, opening);
  }
  const openings = [...sums.values()].map((sum) =>
    sumsUpdate({ author, now }, derivedId('archiveOpening', author.org, sum.member), sum),
  );
  await updateAll(db, session, archiveOpeningResource.path, openings);
  const uses = await summedUses(db, session, author.org, histories);
  const updates = uses.map(({ id, used }) => sumsUpdate({ author, now }, id, { used }));
  await updateAll(db, session, archivedUseResource.path, updates);
}

function sumByMember(histories: readonly ActivityHistory[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  const sumOf = (member: ObjectId) => {
    const known = sums.get(member.toHexString());
    if (known) return known;
    const made: Sums = { member, activities: 0, purchases: 0, metrics: [] };
    sums.set(member.toHexString(), made);
    return made;
  };
  for (const history of histories) {
    const { memberID, type, status, date } = history;
    const own = sumOf(memberID);
    own.activities += 1;
    if (type === 'Accrual' && status === 'Processed') own.purchases += 1;
    if (isUncountedHistory(history)) own.isUncounted = true;
    for (const { member, metric, value } of metricsOf(history)) {
      addTo(sumOf(member), { member, activities: 0, purchases: 0, metrics: [{ metric, value }], countedUpTo: date });
    }
  }
  return sums;
}

function addTo(sum: Sums, more: Sums): void {
  sum.activities += more.activities;
  sum.purchases += more.purchases;
  if (more.isUncounted) sum.isUncounted = true;
  if (more.countedUpTo && !(sum.countedUpTo && sum.countedUpTo > more.countedUpTo)) sum.countedUpTo = more.countedUpTo;
  for (const { metric, value } of more.metrics) {
    const known = sum.metrics.find((each) => each.metric === metric);
    if (known) known.value += value;
    else sum.metrics.push({ metric, value });
  }
}

/** The uses of these histories, with what was noted before, by the id of their counter. */
async function summedUses(
  db: Connection,
  session: ClientSession,
  org: ObjectId,
  histories: readonly ActivityHistory[],
): Promise<{ id: ObjectId; used: number }[]> {
  const sums = new Map<string, { id: ObjectId; used: number }>();
  const add = (id: ObjectId, used: number) => {
    const known = sums.get(id.toHexString());
    if (known) known.used += used;
    else sums.set(id.toHexString(), { id, used });
  };
  for (const history of histories) for (const { id, amount, returned } of usesOf(history)) add(id, amount - returned);
  const ids = [...sums.values()].map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await collectionOf(db, archivedUseResource)
          .find({ _id: { $in: ids }, org }, { session })
          .toArray();
  for (const { _id, used } of found) add(_id, used);
  return [...sums.values()];
}
