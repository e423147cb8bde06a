import { ObjectId } from 'bson';
import { localDay } from '#base/calendar/localCalendar';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { readableFields } from '#base/query/fields';
import { nextPage } from '#base/query/page';
import { parseQuery } from '#base/query/parseQuery';
import { readPage } from '#base/query/read/read';
import { addToLifetime } from '#engine/sums/lifetime';
import { aggregateResources } from '#records/aggregates/aggregate';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { lifetimeView, prepareLifetimeView } from '#records/members/lifetimeView';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
const member = new ObjectId();
const other = new ObjectId();
const ended = new Date('2026-01-01T00:00:00Z');

beforeAll(async () => {
  server = await openTestServer();
  const { db, clock, org } = server.services;
  const stamps = (id?: ObjectId) => newStamps({ org: org._id, userId: org.systemUser }, clock.now(), id);
  const on = (day: string, value: number) => ({
    member,
    day: localDay(new Date(day), 'UTC'),
    changes: [{ metric: 'spend', value }],
  });
  const entries = [on('2026-03-31', 5), on('2026-04-01', 7), { ...on('2026-04-01', 9), member: other }];
  await collectionOf(db, metricEventsResource).insertOne({ ...stamps(), entries });
  const aggregates = addToLifetime(
    [],
    [
      { metric: 'spend', value: 12 },
      { metric: 'promo', value: 3, expirationDate: ended },
    ],
    new Date('2025-06-01'),
    member,
  );
  await db.collection('members').insertMany([
    { ...stamps(member), loyaltyIDs: ['a'], referralCode: 'a', version: 0, mergeIds: [other], aggregates },
    { ...stamps(other), loyaltyIDs: ['b'], referralCode: 'b', version: 0, mergeIds: [], aggregates: [] },
  ]);
  await server.as('admin').post('/jobs/aggregates/run');
});
afterAll(() => server.close());

const byMember = `query=${encodeURIComponent(JSON.stringify({ memberId: member }))}`;
const get = (path: string) => server.as('client').get(path);

test.each([
  ['dailyaggregates', [5, 7]],
  ['weeklyaggregates', [12]],
  ['monthlyaggregates', [5, 7]],
  ['quarterlyaggregates', [5, 7]],
  ['halfyearaggregates', [12]],
  ['yearaggregates', [12]],
])('the aggregates of a member answer %s', async (path, values) => {
  const { status, body } = await get(`/${path}?${byMember}&sort=metricAggValue`);
  expect(status).toBe(200);
  expect(body.map((row: { metricAggValue: number }) => row.metricAggValue)).toEqual(values);
  expect(body[0]).not.toHaveProperty('dirty');
  expect(body[0]).not.toHaveProperty('propagatedValue');
  expect((await get(`/${path}/count?${byMember}`)).body).toEqual({ count: values.length });
  expect((await get(`/${path}/${body[0]._id}`)).body).toEqual(body[0]);
  expect((await get(`/${path}?${byMember}&distinct=metricName`)).body).toEqual(['spend']);
});

test.each([
  ['dayaggregates', 'dailyaggregates'],
  ['weekaggregates', 'weeklyaggregates'],
  ['monthaggregates', 'monthlyaggregates'],
  ['quarteraggregates', 'quarterlyaggregates'],
  ['halfyearlyaggregates', 'halfyearaggregates'],
  ['yearlyaggregates', 'yearaggregates'],
])('%s answers like %s', async (other, path) => {
  const whole = await get(`/${path}?${byMember}`);
  const [{ _id }] = whole.body;
  for (const rest of [`?${byMember}`, `/count?${byMember}`, `/${_id}`]) {
    const [answer, same] = [await get(`/${other}${rest}`), await get(`/${path}${rest}`)];
    expect([answer.status, answer.body]).toEqual([200, same.body]);
  }
  expect((await get(`/${other}`)).status).toBe(400);
  expect((await server.anonymous.get(`/${other}?${byMember}`)).status).toBe(401);
  expect((await server.as('admin').post(`/${other}`, {})).status).toBe(405);
  expect((await get(`/${other}?${byMember}&limit=1`)).headers.get('link')).toContain(`</api/v1/${path}?`);
});

test.each([
  ['a list', ''],
  ['a count', '/count'],
])('%s of aggregates is refused without a query, with an empty one and with fields alone', async (_what, suffix) => {
  for (const path of ['dailyaggregates', 'lifetimeaggregates']) {
    expect((await get(`/${path}${suffix}`)).status).toBe(400);
    expect((await get(`/${path}${suffix}?query={}`)).status).toBe(400);
    expect((await get(`/${path}${suffix}?metricName=spend`)).status).toBe(400);
  }
});

test('queries know neither internal fields nor periods that an aggregate does not have', async () => {
  for (const field of ['dirty', 'propagatedValue', 'expirationDate']) {
    expect((await get(`/dailyaggregates?query=${JSON.stringify({ [field]: 1 })}`)).status).toBe(400);
  }
  expect((await get('/weeklyaggregates?query={"month":3}')).status).toBe(400);
});

describe('lifetime aggregates', () => {
  test('are both those still in members and those moved away', async () => {
    const { body } = await get(`/lifetimeaggregates?${byMember}&sort=metricName`);
    expect(body).toMatchObject([
      { metricName: 'promo', metricAggValue: 3, memberId: String(member), expirationDate: ended.toISOString() },
      { metricName: 'spend', metricAggValue: 12, memberId: String(member), mergeIds: [String(other)] },
    ]);
    expect(body[1]).toMatchObject({ org: String(server.services.org._id), updatedBy: expect.any(String) });
    expect(body[1]).not.toHaveProperty('expirationDate');
  });

  test('are read like any collection: count, one, fields, distinct, order, pages, references', async () => {
    expect((await get(`/lifetimeaggregates/count?${byMember}`)).body).toEqual({ count: 2 });
    expect((await get(`/lifetimeaggregates?${byMember}&metricAggValue=>5&select=metricName`)).body).toEqual([
      { _id: expect.any(String), metricName: 'spend' },
    ]);
    expect((await get(`/lifetimeaggregates?${byMember}&distinct=metricName`)).body).toEqual(['promo', 'spend']);
    const page = await get(`/lifetimeaggregates?${byMember}&sort=-metricName&limit=1`);
    expect(page.body).toMatchObject([{ metricName: 'spend' }]);
    expect(page.headers.get('link')).toContain('/api/v1/lifetimeaggregates?');
    const [{ _id }] = page.body;
    expect((await get(`/lifetimeaggregates/${_id}`)).body).toMatchObject({ _id, metricName: 'spend' });
    const { body } = await get(`/lifetimeaggregates?${byMember}&populate=memberId`);
    expect(body).toMatchObject([{ memberId: { referralCode: 'a' } }, { memberId: { referralCode: 'a' } }]);
  });
});

test('lifetime aggregates continue past the greatest skip, also those in members', async () => {
  const { db, resources, org, users } = server.services;
  const { userId } = users.admin.principal;
  const reader = { db, resources, org: org._id, userId, permissions: new Set<string>() };
  const [lifetime] = aggregateResources.slice(-1);
  if (!lifetime) throw new Error('there are no lifetime aggregates');
  const view = { ...lifetime, path: lifetimeView };
  await prepareLifetimeView(db);
  const args = { limit: '1', sort: '-metricName' };
  const read = (more: Record<string, string>) => {
    const request = parseQuery({ ...args, ...more }, readableFields(view), { skipMax: 0 });
    return readPage(reader, view, request).then(({ found, last }) => ({ ...request, found, last }));
  };
  const first = await read({});
  const next = nextPage(args, { ...first, skipMax: 0 }, { found: 1, last: first.last });
  const second = await read({ after: new URLSearchParams(next).get('after') ?? '' });
  expect([...first.found, ...second.found].map(({ metricName }) => metricName)).toEqual(['spend', 'promo']);
});

test.each(['dailyaggregates', 'lifetimeaggregates'])('%s cannot be written', async (path) => {
  const [{ _id }] = (await get(`/${path}?${byMember}`)).body;
  const admin = server.as('ledger-admin');
  const answers = [
    await admin.post(`/${path}`, { metricName: 'spend', metricAggValue: 1 }),
    await admin.put(`/${path}/${_id}`, { metricAggValue: 1 }),
    await admin.delete(`/${path}/${_id}`),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([405, 1220]));
});

test('the roles that read the ledger read aggregates', async () => {
  expect((await server.as('reader').get(`/dailyaggregates?${byMember}`)).status).toBe(200);
  expect((await server.anonymous.get(`/dailyaggregates?${byMember}`)).status).toBe(401);
});
