import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { dayOn } from '#base/calendar/localCalendar';
import { collectionOf } from '#base/db/collections';
import { connect } from '#base/db/connect';
import { prepareCollections } from '#base/db/prepareCollections';
import { type Author, newStamps } from '#base/db/records';
import { aggregateResources } from '#records/aggregates/aggregate';
import { groupByMemberDay, type MetricEntry, metricEventsResource } from '#records/aggregates/metricEvents';
import { recordCountResource } from '#records/aggregates/recordCount';
import { memberResource } from '#records/members/member';
import { orgResource } from '#records/users/org';
import { numbers } from '../../support/numbers';
import { type TestStores, testStores } from '../../support/stores';

export const now = new Date('2026-11-21T12:00:00Z');

/** A database with one org, and the collections that the roll-up reads and writes. */
export interface AggregateStore {
  db: Connection;
  stores: TestStores;
  author: Author;
  close(): Promise<void>;
}

export async function openAggregateStore(): Promise<AggregateStore> {
  const stores = testStores();
  const db = await connect(stores.mongodbUri, { maxPoolSize: 10 });
  await prepareCollections(db, [
    ...aggregateResources,
    metricEventsResource,
    recordCountResource,
    orgResource,
    memberResource,
  ]);
  const author = await addOrg(db, 'shop');
  const close = async () => {
    await db.destroy();
    await stores.drop();
  };
  return { db, stores, author, close };
}

export async function addOrg(db: Connection, code: string): Promise<Author> {
  const author = { org: new ObjectId(), userId: new ObjectId() };
  await collectionOf(db, orgResource).insertOne({
    ...newStamps(author, now, author.org),
    code,
    systemUser: author.userId,
  });
  return author;
}

/** Stores metric entries as commits do: one document for each list. */
export async function commitMetrics(db: Connection, author: Author, commits: MetricEntry[][]): Promise<void> {
  await collectionOf(db, metricEventsResource).insertMany(
    commits.map((entries) => ({ ...newStamps(author, now), entries: groupByMemberDay(entries) })),
    { ordered: false },
  );
}

/** Makes commits from a fixed seed: few members, so that they collide; days over two years. */
export function randomCommits({ commits, members }: { commits: number; members: ObjectId[] }): MetricEntry[][] {
  const below = numbers(42);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[below(list.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  };
  const entry = (): MetricEntry => ({
    member: pick(members),
    metric: pick(['pointsEarned', 'pointsEarned:Points', 'spend', 'visits']),
    value: below(2000) - 500,
    day: dayOn(2025, 1, 1 + below(730)),
  });
  return Array.from({ length: commits }, () => Array.from({ length: 1 + below(8) }, entry));
}
