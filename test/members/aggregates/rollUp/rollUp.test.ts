import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { localDay } from '#base/calendar/localCalendar';
import { collectionOf } from '#base/db/collections';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { expectedSums, storedSums } from '../oracle';
import { type AggregateStore, addOrg, commitMetrics, now, openAggregateStore, randomCommits } from '../store';

const members = Array.from({ length: 40 }, () => new ObjectId());
const member = new ObjectId('64b000000000000000000001');
const on = (day: string, value: number, metric = 'spend') => ({
  member,
  metric,
  value,
  day: localDay(new Date(day), 'UTC'),
});

let store: AggregateStore;
beforeEach(async () => {
  store = await openAggregateStore();
});
afterEach(() => store.close());

test('a commit counts in every period that contains it', async () => {
  const { db, author } = store;
  await commitMetrics(db, author, [[on('2026-11-20', 500)], [on('2026-11-20', 200)]]);

  const counts = await rollUp({ db }, { now });

  expect(counts).toEqual({ events: 2, days: 1, members: 0 });
  const common = {
    org: author.org,
    memberId: member,
    metricName: 'spend',
    metricAggValue: 700,
    lastAggDate: now,
    mergeIds: [],
  };
  expect(await db.collection('dailyaggregates').findOne()).toMatchObject({
    ...common,
    day: 20,
    week: 47,
    month: 11,
    quarter: 4,
    halfYear: 2,
    year: 2026,
  });
  const weekly = await db.collection('weeklyaggregates').findOne();
  expect(weekly).toMatchObject({ ...common, week: 47, year: 2026 });
  expect(weekly).not.toHaveProperty('month');
  expect(await db.collection('yearaggregates').findOne()).toMatchObject({ ...common, year: 2026 });
});

test('a cancellation subtracts from the days of the original, however long ago', async () => {
  const { db, author } = store;
  await commitMetrics(db, author, [[on('2025-12-31', 500)], [on('2026-01-01', 50)]]);
  await rollUp({ db }, { now });
  await commitMetrics(db, author, [[on('2025-12-31', -500)]]);
  await rollUp({ db }, { now });

  const years = await db.collection('yearaggregates').find().sort({ year: 1 }).toArray();
  expect(years.map(({ year, metricAggValue }) => [year, metricAggValue])).toEqual([
    [2025, 0],
    [2026, 50],
  ]);
});

test('rolling up again changes nothing', async () => {
  const { db, author } = store;
  const commits = randomCommits({ commits: 300, members });
  await commitMetrics(db, author, commits);
  await rollUp({ db }, { now });
  const counts = await rollUp({ db }, { now });

  expect(counts).toEqual({ events: 0, days: 0, members: 0 });
  expect(await storedSums(db)).toEqual(expectedSums(commits.flat()));
});

test('an org rolls up its own commits only, and a member id in two orgs stays apart', async () => {
  const { db, author } = store;
  const other = await addOrg(db, 'other');
  await commitMetrics(db, author, [[on('2026-11-20', 1)]]);
  await commitMetrics(db, other, [[on('2026-11-20', 2)]]);

  await rollUp({ db }, { org: author.org, now });
  expect(await db.collection('dailyaggregates').find().toArray()).toMatchObject([
    { org: author.org, metricAggValue: 1 },
  ]);

  await rollUp({ db }, { now });
  const yearly = await db.collection('yearaggregates').find().sort({ metricAggValue: 1 }).toArray();
  expect(yearly.map(({ org, metricAggValue }) => [org, metricAggValue])).toEqual([
    [author.org, 1],
    [other.org, 2],
  ]);
});

test('three roll-ups at once count everything once during commits', async () => {
  const { db, author } = store;
  const commits = randomCommits({ commits: 800, members });
  await commitMetrics(db, author, commits.slice(0, 400));
  const runs = [1, 2, 3].map(() => rollUp({ db }, { now }));
  for (let from = 400; from < commits.length; from += 100) {
    await commitMetrics(db, author, commits.slice(from, from + 100));
  }
  await Promise.all(runs);
  await rollUp({ db }, { now });

  expect(await storedSums(db)).toEqual(expectedSums(commits.flat()));
});

test('killed roll-ups leave nothing out and count nothing twice', async () => {
  const { db, author } = store;
  const commits = randomCommits({ commits: 1300, members });
  await commitMetrics(db, author, commits);

  // A page has some 900 of these commits, or 400 of the 5,700 days that they change.
  await killWhen(async () => (await eventsLeft(db)) <= 1200);
  expect(await eventsLeft(db)).toBeGreaterThan(0);
  await killWhen(async () => (await eventsLeft(db)) === 0 && (await daysLeft(db)) <= 5500);
  expect(await daysLeft(db)).toBeGreaterThan(0);
  await rollUp({ db }, { now });
  expect(await storedSums(db)).toEqual(expectedSums(commits.flat()));
});

const eventsLeft = (db: Connection) => collectionOf(db, metricEventsResource).countDocuments();
/** Days whose change the larger periods lack. */
const daysLeft = (db: Connection) => db.collection('dailyaggregates').countDocuments({ dirty: true });

/** Name of the connections of the killed processes. */
const appName = 'rollUpKilled';

/**
 * Lets three processes roll up until this is true, and kills them. A process that ends early, as on a machine that was
 * paused for long, is replaced.
 */
async function killWhen(isReached: () => Promise<boolean>): Promise<void> {
  let processes = [1, 2, 3].map(startRollUp);
  while (!(await isReached())) {
    processes = processes.map((each) => (each.child.exitCode === null ? each : startRollUp()));
    await pause(5);
  }
  await Promise.all(processes.map(kill));
  await abortLeft(store.db);
}

/**
 * Aborts the transactions that killed processes left open, as the service does within seconds (src/base/db/abandonedTransactions.ts).
 */
async function abortLeft(db: Connection): Promise<void> {
  const admin = db.getClient().db('admin');
  const stages = [{ $currentOp: { idleSessions: true, idleConnections: true } }, { $match: { appName } }];
  for (;;) {
    const open = await admin.aggregate(stages, { readConcern: { level: 'local' } }).toArray();
    if (open.length === 0) return;
    const sessions = open.flatMap(({ lsid }) => (lsid ? [{ id: lsid.id }] : []));
    if (sessions.length > 0) await admin.command({ killSessions: sessions });
    await pause(5);
  }
}

function startRollUp() {
  const hook = path.join(__dirname, '../../../support/registerTypeScript.cjs');
  const uri = new URL(store.stores.mongodbUri);
  uri.searchParams.set('appName', appName);
  const args = ['--require', hook, path.join(__dirname, '../../../support/rollUpProcess.ts'), uri.href];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, ended: once(child, 'exit') };
}

async function kill({ child, ended }: ReturnType<typeof startRollUp>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
