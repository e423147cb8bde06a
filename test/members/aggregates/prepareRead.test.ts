import { ObjectId } from 'bson';
import { dayOn } from '#base/calendar/localCalendar';
import { createPrepareRead } from '#members/aggregates/prepareRead';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import { resources } from '#server/services/resources';
import { makeProgram } from '../../support/definitions';
import { addOrg, openTestServer } from '../../support/server';
import { expectedSums, storedSums } from './oracle';
import { commitMetrics, randomCommits } from './store';

const members = Array.from({ length: 6 }, () => new ObjectId());
const [member = new ObjectId(), other = new ObjectId()] = members;
const largerPaths = [
  'weeklyaggregates',
  'monthlyaggregates',
  'quarterlyaggregates',
  'halfyearaggregates',
  'yearaggregates',
];

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

const ofOrg = () => {
  const { db, clock, org } = server.services;
  return { db, now: clock.now(), author: { org: org._id, userId: org.systemUser } };
};

/** Commits as the timer of days leaves them: in the days, and in no larger period. */
async function commitInDays(...commits: MetricEntry[][]): Promise<void> {
  const { db, now, author } = ofOrg();
  await commitMetrics(db, author, commits);
  await rollUp({ db }, { org: author.org, now, part: 'days' });
}

const on = (memberId: ObjectId, month: number, value: number): MetricEntry => ({
  member: memberId,
  metric: 'spend',
  value,
  day: dayOn(2026, month, 3),
});

const query = (filter: object) => `query=${encodeURIComponent(JSON.stringify(filter))}`;
const get = async (path: string) => (await server.as('client').get(path)).body;
const valuesAt = async (path: string): Promise<number[]> =>
  (await get(path)).map(({ metricAggValue }: { metricAggValue: number }) => metricAggValue);
const storedMonths = () =>
  server.services.db.collection('monthlyaggregates').countDocuments({ org: server.services.org._id });

test.each(largerPaths)('a list of %s by its member has what the days have', async (path) => {
  await commitInDays([on(member, 5, 500)], [on(member, 5, 40), on(other, 5, 7)]);
  expect(await valuesAt(`/${path}?${query({ memberId: member })}`)).toEqual([540]);
});

test.each<[string, (filter: string) => Promise<unknown>, unknown]>([
  ['a list', (filter) => valuesAt(`/monthlyaggregates?${filter}`), [540]],
  ['a count', (filter) => get(`/monthlyaggregates/count?${filter}`), { count: 1 }],
  ['distinct values', (filter) => get(`/monthlyaggregates?${filter}&distinct=metricAggValue`), [540]],
])('%s brings only the members that it names up to date', async (_name, read, answer) => {
  await commitInDays([on(member, 5, 500)], [on(member, 5, 40), on(other, 5, 7)]);
  expect(await read(query({ memberId: member, metricName: 'spend' }))).toEqual(answer);
  expect(await storedMonths()).toBe(1);
});

test.each([
  ['in a list of ids', () => ({ memberId: { $in: [member, other] } })],
  ['in a part of $and', () => ({ $and: [{ metricName: 'spend' }, { memberId: { $eq: member } }] })],
  ['not at all', () => ({ metricName: 'spend' })],
  ['in one part of $or alone', () => ({ $or: [{ memberId: member }, { year: 2026 }] })],
])('a filter may name its members %s', async (_way, filterOf) => {
  await commitInDays([on(member, 5, 500), on(member, 6, 30)]);
  expect(await valuesAt(`/monthlyaggregates?${query(filterOf())}&sort=month`)).toEqual([500, 30]);
});

test('one aggregate, read by its id, has what the days have', async () => {
  await commitInDays([on(member, 5, 500)]);
  const [{ _id }] = await get(`/yearaggregates?${query({ memberId: member })}`);
  await commitInDays([on(member, 9, 25)]);
  expect(await get(`/yearaggregates/${_id}`)).toMatchObject({ metricAggValue: 525 });
});

test('an export of a larger period has what the days have', async () => {
  await commitInDays([on(member, 5, 500)], [on(other, 5, 7)]);
  const file: string = (await server.as('admin').get('/exports?kind=monthlyaggregates&format=ndjson')).body;
  const values = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).metricAggValue);
  expect(values.sort((a, b) => a - b)).toEqual([7, 500]);
});

test('a lookup in a larger period finds what the days have', async () => {
  await commitInDays([on(member, 5, 500)]);
  const keys = { memberId: String(member), metricName: 'spend' };
  const lookup = { model: 'MonthlyAggregate', keys, select: ['metricAggValue'] };
  const { db, author } = ofOrg();
  const program = await makeProgram(db, author, { code: 'main' });
  const { status, body } = await server
    .as('admin')
    .post('/members?preprocess=true', { program: program._id, ext: { spent: { lookup } } });
  expect([status, body]).toMatchObject([201, { ext: { spent: 500 } }]);
});

test('reads, timers and commits at once count each value exactly once', async () => {
  const { db, now, author } = ofOrg();
  const commits = randomCommits({ commits: 300, members });
  const pages = Array.from({ length: 6 }, (_, n) => commits.slice(n * 50, (n + 1) * 50));
  for (const page of pages) {
    await commitMetrics(db, author, page);
    await Promise.all([
      rollUp({ db }, { org: author.org, now, part: 'days' }),
      rollUp({ db }, { org: author.org, now, part: 'periods' }),
      ...members.flatMap((memberId) => largerPaths.map((path) => get(`/${path}?${query({ memberId })}`))),
      get(`/yearaggregates?${query({ year: 2025 })}`),
    ]);
  }
  await rollUp({ db }, { org: author.org, now, part: 'days' });
  for (const memberId of members) await get(`/weeklyaggregates?${query({ memberId })}`);
  expect(await storedSums(db, author.org)).toEqual(expectedSums(commits.flat()));
});

test('a read answers what was rolled up last when its days cannot be rolled up, and tells why', async () => {
  await commitInDays([on(member, 5, 500)]);
  const filter = query({ memberId: member });
  expect(await valuesAt(`/monthlyaggregates?${filter}`)).toEqual([500]);
  const { db, now, author } = ofOrg();
  const months = db.collection('monthlyaggregates');
  const [may] = await months.find({ org: author.org }).toArray();
  // June's own aggregate cannot be written beside one with a foreign id.
  await months.insertOne({ ...may, _id: new ObjectId(), month: 6, metricAggValue: 1 });
  await commitInDays([on(member, 5, 40), on(member, 6, 30)]);
  expect(await valuesAt(`/monthlyaggregates?${filter}&sort=month`)).toEqual([500, 1]);
  const failures: unknown[] = [];
  const monthly = resources.find(({ path }) => path === 'monthlyaggregates');
  if (!monthly) throw new RangeError('no resource');
  const prepareRead = createPrepareRead((error) => failures.push(error));
  await prepareRead(db, monthly, { org: author.org, filter: { memberId: member }, now });
  expect(failures).toEqual([expect.objectContaining({ code: 11000 })]);
});
