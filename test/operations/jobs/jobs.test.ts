import { ObjectId } from 'bson';
import { dayOn } from '#base/calendar/localCalendar';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { overdueJobs } from '#operations/jobs/overdueJobs';
import { runSchedule, type Schedule, schedules } from '#operations/jobs/schedules';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { idleRunDays } from '#records/users/jobRun';
import { addOrg, openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

type Server = Awaited<ReturnType<typeof openTestServer>>;
let host: Server;
let server: Pick<Server, 'services' | 'as'>;
beforeAll(async () => {
  host = await openTestServer();
});
afterAll(() => host.close());
beforeEach(async () => {
  server = await addOrg(host);
});

const day = dayOn(2026, 11, 20);

async function commitMetric(value: number, org = server.services.org) {
  const { db, clock } = server.services;
  const entries = [{ member: new ObjectId(), day, changes: [{ metric: 'spend', value }] }];
  const author = { org: org._id, userId: org.systemUser };
  await collectionOf(db, metricEventsResource).insertOne({ ...newStamps(author, clock.now()), entries });
}

function scheduleNamed(name: string): Schedule {
  const [schedule] = schedules.filter((each) => each.name === name);
  if (!schedule) throw new RangeError(name);
  return schedule;
}

test('running a job answers what it did, and leaves nothing due', async () => {
  await commitMetric(5);
  await commitMetric(7);
  const { status, body } = await server.as('admin').post('/jobs/aggregates/run');

  expect([status, body]).toMatchObject([
    200,
    { name: 'aggregates', counts: { events: 2, days: 2, members: 0 }, error: null },
  ]);
  expect(body.durationMs).toBeGreaterThanOrEqual(0);
  const again = await server.as('admin').post('/jobs/aggregates/run');
  expect(again.body.counts).toEqual({ events: 0, days: 0, members: 0 });
});

test.each([
  'daychange',
  'escrow',
  'expiry',
  'aggregates',
  'periods',
  'inbox',
  'occasions',
  'members',
  'indexes',
  'expiring',
  'events',
  'reconcile',
])('%s runs with nothing to do', async (name) => {
  const { status, body } = await server.as('admin').post(`/jobs/${name}/run`);
  expect([status, body.name, body.error]).toEqual([200, name, null]);
});

test('every run is kept, and idle runs for a day only', async () => {
  await commitMetric(5);
  await server.as('admin').post('/jobs/aggregates/run');
  await server.as('admin').post('/jobs/aggregates/run');

  const { body } = await server.as('reader').get('/jobs?name=aggregates&sort=startedAt');
  expect(body).toMatchObject([
    { name: 'aggregates', counts: { events: 1, days: 1 }, pid: process.pid },
    { name: 'aggregates', counts: { events: 0, days: 0 } },
  ]);
  expect(body[0]).not.toHaveProperty('keptUntil');
  const runs = await server.services.db
    .collection('jobs')
    .find({ org: server.services.org._id })
    .sort({ startedAt: 1 })
    .toArray();
  const keptDays = runs.map(({ keptUntil, startedAt }) => Math.round((keptUntil - startedAt) / 86_400_000));
  expect(keptDays).toEqual([30, idleRunDays]);
  expect((await server.as('reader').get('/jobs/count')).body).toEqual({ count: 2 });
  expect((await server.as('reader').get(`/jobs/${body[0]._id}`)).body).toMatchObject({ name: 'aggregates' });
});

test('an unknown job is 404, and running one needs its permission', async () => {
  expect((await server.as('admin').post('/jobs/nothing/run')).status).toBe(404);
  expect((await server.as('admin').post('/jobs/constructor/run')).status).toBe(404);
  expect((await server.as('reader').post('/jobs/aggregates/run')).status).toBe(403);
  expect((await server.as('client').get('/jobs')).status).toBe(403);
});

test('a run by a user acts for one org and a run by a timer for all, and each org sees its own runs', async () => {
  const { services } = server;
  const other = await makeTestOrg(services, 'other');
  await commitMetric(5);
  await commitMetric(7, other.org);

  await server.as('admin').post('/jobs/aggregates/run');
  expect(await services.db.collection('dailyaggregates').countDocuments({ org: other.org._id })).toBe(0);

  await runSchedule(services, scheduleNamed('aggregates'));
  expect(await services.db.collection('dailyaggregates').countDocuments({ org: other.org._id })).toBe(1);
  const runs = await services.db.collection('jobs').find({ org: other.org._id }).toArray();
  expect(runs).toMatchObject([{ name: 'aggregates', counts: { events: 1, members: 0 } }]);
});

test('the timer of aggregates leaves the larger periods to a timer of their own, which does nothing else', async () => {
  const { services } = server;
  const ofOrg = { org: services.org._id };
  const read = (name: string) => services.db.collection(name).find(ofOrg).toArray();
  await commitMetric(5);
  await runSchedule(services, scheduleNamed('aggregates'));
  await commitMetric(7);
  expect([await read('dailyaggregates'), await read('monthlyaggregates')]).toMatchObject([[{ metricAggValue: 5 }], []]);

  await runSchedule(services, scheduleNamed('periods'));
  expect(await read('monthlyaggregates')).toMatchObject([{ metricAggValue: 5 }]);
  expect(await read('metricevents')).toHaveLength(1);
  expect((await read('jobs')).filter(({ name }) => name === 'periods')).toMatchObject([{ counts: { days: 1 } }]);
});

test('a day change keeps a run for escrow, for tiers and for expiry', async () => {
  await runSchedule(server.services, scheduleNamed('daychange'));
  const { body } = await server.as('admin').get('/jobs?select=name,counts');
  const counts = { members: 0, released: 0, tiers: 0, expired: 0 };
  expect(body).toMatchObject([
    { name: 'escrow', counts },
    { name: 'tiers', counts },
    { name: 'expiry', counts },
  ]);
});

describe('with services of its own', () => {
  let own: Server;
  beforeEach(async () => {
    own = await openTestServer();
    server = own;
  });
  afterEach(() => own.close());

  test('a failing job is kept with its reason, which names no server, and its timer becomes overdue', async () => {
    const { services } = server;
    const { clock } = services;
    clock.set('2026-11-21T12:00:00Z');
    await runSchedule(services, scheduleNamed('aggregates'));
    // The roll-up fails on this document.
    await services.db.collection('metricevents').insertOne({ org: services.org._id, entries: 'broken' });
    clock.advance(services.config.aggregatesEveryMs);
    await runSchedule(services, scheduleNamed('aggregates'));

    const { body } = await server.as('admin').get('/jobs?name=aggregates&sort=-_id&limit=1');
    const failed = { error: 'TypeError', fault: message('words.errorName', { error: 'TypeError' }), counts: {} };
    expect(body).toMatchObject([failed]);
    expect((await server.as('admin').post('/jobs/aggregates/run')).body).toMatchObject(failed);
    clock.advance(120_000);
    expect(await overdueJobs(services, clock.now())).toContainEqual({
      name: 'aggregates',
      lastFinishedAt: new Date('2026-11-21T12:00:00Z'),
      overdueAfterMs: services.config.aggregatesEveryMs + 60_000,
    });
  });

  test('a timer is overdue when it never ran, not while it runs in time, and again when it stopped', async () => {
    const { services } = server;
    const { clock } = services;
    clock.set('2026-11-21T12:00:00Z');
    const names = async () => (await overdueJobs(services, clock.now())).map(({ name }) => name);
    expect(await names()).toEqual([
      'daychange',
      'aggregates',
      'periods',
      'inbox',
      'occasions',
      'members',
      'rules',
      'indexes',
      'expiring',
      'events',
      'sandbox',
      'retention',
      'reconcile',
    ]);

    for (const schedule of schedules) await runSchedule(services, schedule);
    expect(await names()).toEqual([]);
    clock.advance(60_000);
    expect(await names()).toEqual([]);
    clock.advance(61_000);
    const short = ['daychange', 'aggregates', 'inbox', 'occasions', 'members', 'rules', 'indexes', 'sandbox'];
    expect(await names()).toEqual(short);
  });
});
