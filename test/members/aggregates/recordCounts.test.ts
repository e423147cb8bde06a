import { ObjectId } from 'bson';
import { collectionOf, insertAll } from '#base/db/collections';
import { inSnapshot } from '#base/db/inSnapshot';
import type { Author } from '#base/db/records';
import { GuardFailed, inTransaction, isTransient, withRetries } from '#base/db/transaction';
import { startCount } from '#members/aggregates/rollUp/recordCounts';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { rollUpDays } from '#members/aggregates/rollUp/rollUpDays';
import { insertMetricEvents } from '#members/memberState/commitLedger';
import { createCountAll, readCount } from '#records/aggregates/countAll';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { readsDuring } from '../../support/profile';
import { type AggregateStore, addOrg, now, openAggregateStore } from './store';

let store: AggregateStore;
let author: Author;
beforeAll(async () => {
  store = await openAggregateStore();
});
beforeEach(async () => {
  author = await addOrg(store.db, new ObjectId().toHexString());
});
afterAll(() => store.close());

/**
 * A journal entry with the fields of its unique index, which tests of another file may have created in this database.
 */
const entry = () => ({ org: author.org, member: new ObjectId(), seq: 1 });

const counted = () => createCountAll('journal')(store.db, author.org);
const found = () => store.db.collection('journal').countDocuments({ org: author.org });
const roll = () => rollUp(store, { org: author.org, now });

/** A commit that makes this number of journal entries. `fails` aborts it after all writes. */
async function commit(records: number, fails = false): Promise<void> {
  const attempt = () =>
    inTransaction(store.db, async (session) => {
      const rows = Array.from({ length: records }, () => ({ _id: new ObjectId(), ...entry() }));
      await insertAll(store.db, session, 'journal', rows);
      const made = { accrualitems: 0, journal: records, activityhistories: 0 };
      await insertMetricEvents(store.db, session, author, now, { entries: [], made });
      if (fails) throw new Error('dropped');
    });
  await withRetries(attempt, { now: Date.now, attemptsMax: 50, isWorthRetrying: isTransient });
}

test('counts are unknown before the first roll-up, which also counts earlier records', async () => {
  await store.db.collection('journal').insertMany([entry(), entry()]);
  await commit(3);
  expect(await counted()).toBeUndefined();
  await roll();
  expect(await counted()).toBe(5);
});

test('a commit is counted at once, an aborted one never, and a roll-up changes no count', async () => {
  await roll();
  await commit(4);
  await expect(commit(7, true)).rejects.toThrow('dropped');
  expect(await counted()).toBe(4);
  expect(await roll()).toMatchObject({ events: 1 });
  expect([await counted(), await found()]).toEqual([4, 4]);
});

test('a count stays unknown when there are too many records to begin with', async () => {
  await store.db.collection('journal').insertMany([entry(), entry(), entry()]);
  for (let begun = 0; begun < 3; begun += 1) await startCount(store.db, author, now, 2);
  await commit(2);
  await roll();
  expect(await counted()).toBeUndefined();
  expect(await createCountAll('accrualitems')(store.db, author.org)).toBe(0);
});

test('records of another org are not counted', async () => {
  const first = author;
  await roll();
  author = await addOrg(store.db, 'other');
  await roll();
  await commit(2);
  expect(await createCountAll('journal')(store.db, first.org)).toBe(0);
  expect(await counted()).toBe(2);
});

test('no count is rolled up before all have begun', async () => {
  await commit(1);
  await startCount(store.db, author, now);
  const events = () => collectionOf(store.db, metricEventsResource).countDocuments({ org: author.org });
  await expect(rollUpDays(store.db, author, now)).rejects.toThrow(GuardFailed);
  expect(await events()).toBe(1);
  await Promise.all([roll(), roll(), roll()]);
  expect([await events(), await counted()]).toEqual([0, 1]);
});

test('counts are exact at every time while commits, roll-ups and the beginning of counts race', async () => {
  const lanes = Array.from({ length: 6 }, (_, lane) =>
    Array.from({ length: 25 }, (__, n) => ({ records: 1 + ((n + lane) % 4), fails: (n + lane) % 5 === 0 })),
  );
  let isOver = false;
  const commits = Promise.all(lanes.map((lane) => commitAll(lane))).finally(() => {
    isOver = true;
  });
  const rolls = Array.from({ length: 3 }, async () => {
    while (!isOver) await roll();
  });
  const seen: (number | undefined)[][] = [];
  while (!isOver) seen.push(await keptAndFound());
  await Promise.all([commits, ...rolls]);

  const begun = seen.filter(([kept]) => kept !== undefined);
  expect(begun.length).toBeGreaterThan(3);
  expect(begun.filter(([kept, there]) => kept !== there)).toEqual([]);
  const made = lanes.flat().reduce((sum, { records, fails }) => sum + (fails ? 0 : records), 0);
  expect(await keptAndFound()).toEqual([made, made]);
  await roll();
  expect(await keptAndFound()).toEqual([made, made]);
});

async function commitAll(lane: readonly { records: number; fails: boolean }[]): Promise<void> {
  for (const { records, fails } of lane) {
    await commit(records, fails).catch((error: Error) => {
      if (error.message !== 'dropped') throw error;
    });
  }
}

/** The stored count and the number of records, in one snapshot. */
function keptAndFound() {
  return inSnapshot(store.db, async (at) => [
    await readCount(store.db, at, author.org, 'journal'),
    await store.db.collection('journal').countDocuments({ org: author.org }, at),
  ]);
}

test('waiting changes are read from an index alone', async () => {
  await roll();
  await Promise.all([commit(1), commit(2)]);
  const reads = await readsDuring(store.db, async () => expect(await counted()).toBe(3));
  const ofEvents = reads.filter(({ collection }) => collection === 'metricevents');
  expect(ofEvents).toEqual([
    expect.objectContaining({ plan: expect.stringContaining('IXSCAN'), documents: 0, keys: 2 }),
  ]);
});
