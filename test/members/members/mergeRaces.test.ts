import type { Member } from '#records/members/member';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { type Client, client, type Response } from '../../support/client';
import { type ServiceProcess, startApi } from '../../support/processes';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
let acting: ActivityApi;
let other: ServiceProcess & { url: string };
/** Clients of two processes, one of which is the process of the test. */
let clients: Client[];

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
  other = await startApi(world.services.config);
  clients = [world.server.as('admin'), client(other.url, world.services.users.admin.token)];
});

afterAll(async () => {
  await other.kill();
  await world.close();
});

const through = (n: number): Client => clients[n % clients.length] ?? world.server.as('admin');
const times = (count: number) => Array.from({ length: count }, (_unused, n) => n);

/** Repeats a request that was answered with 503, as a client would. */
async function sure(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

const post = (n: number, type: string, { _id }: Member, value: number, key: string) =>
  sure(() => through(n).post('/activity', { type, memberID: _id, value, externalTxnId: key }));
const merge = (n: number, into: Member, from: Member) =>
  sure(() => through(n).post(`/members/${into._id}/merge`, { memberIds: [from._id] }));
const statusOf = ({ body }: Response) => body.result?.data.status;

test('a merge in the middle of posts of both members through two processes loses nothing', async () => {
  const [survivor, merged] = [await world.addMember(), await world.addMember()];
  const posts = times(80).map((n) => post(n, 'Accrual', n % 4 < 2 ? survivor : merged, 1, `both-${n}`));
  const burns = times(20).map((n) => post(n, 'Redemption', n % 2 ? survivor : merged, 1, `burn-${n}`));
  const merging = merge(0, survivor, merged);
  const answers = await Promise.all(posts);
  const burned = (await Promise.all(burns)).filter((answer) => statusOf(answer) === 'Processed').length;
  expect([(await merging).status, answers.every((answer) => statusOf(answer) === 'Processed')]).toEqual([200, true]);
  expect(await acting.purse(survivor._id)).toMatchObject({
    balance: 80 - burned,
    debt: 0,
    accruedPoints: 80,
    burnedPoints: burned,
  });
});

test('one of two merges of a member at once wins, and the other is refused', async () => {
  const [one, other, merged] = [await world.addMember(), await world.addMember(), await world.addMember()];
  await post(0, 'Accrual', merged, 50, 'prize');
  const answers = await Promise.all([merge(0, one, merged), merge(1, other, merged)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const balances = [await acting.purse(one._id), await acting.purse(other._id)].map(({ balance }) => balance);
  expect(balances.sort()).toEqual([0, 50]);
});

test('two members merged into each other at once leave one survivor', async () => {
  const [one, other] = [await world.addMember(), await world.addMember()];
  await post(0, 'Accrual', one, 1, 'of-one');
  await post(0, 'Accrual', other, 2, 'of-other');
  const answers = await Promise.all([merge(0, one, other), merge(1, other, one)]);
  const won = answers.findIndex(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  expect([410, 422]).toContain(answers[1 - won]?.status);
  expect((await acting.purse((won === 0 ? one : other)._id)).balance).toBe(3);
});

test('two merges into one survivor at once both take effect', async () => {
  const [survivor, one, other] = [await world.addMember(), await world.addMember(), await world.addMember()];
  await post(0, 'Accrual', one, 3, 'first-part');
  await post(0, 'Accrual', other, 4, 'second-part');
  const answers = await Promise.all([merge(0, survivor, one), merge(1, survivor, other)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await acting.balance(survivor._id)).toBe(7);
});

test("a merge and concurrent cancels of the merged member's activities are done once each", async () => {
  const [survivor, merged] = [await world.addMember(), await world.addMember()];
  const earned: string[] = [];
  for (const n of times(10)) {
    earned.push((await post(n, 'Accrual', merged, 10, `cancelled-${n}`)).body.result.data.activityId);
  }
  const spent = (await post(0, 'Redemption', merged, 35, 'spent')).body.result.data.activityId;
  const cancel = (id: string, n: number) => sure(() => through(n).post(`/activity/${id}/cancel`));
  const cancels = [spent, ...earned.slice(0, 5)].flatMap((id, n) => [cancel(id, n), cancel(id, n + 1)]);
  const [merging, ...cancelled] = await Promise.all([merge(1, survivor, merged), ...cancels]);
  expect(merging.status).toBe(200);
  expect(cancelled.filter((answer) => statusOf(answer) === 'Processed').length).toBe(6);
  await world.server.as('admin').post('/jobs/members/run');
  expect(await acting.purse(survivor._id)).toMatchObject({ balance: 50, debt: 0, accruedPoints: 100 });
});

test('the job of a merge loses nothing during cancels and posts', async () => {
  const [survivor, merged] = [await world.addMember(), await world.addMember()];
  const spent: string[] = [];
  for (const n of times(8)) {
    await post(n, 'Accrual', merged, 5, `job-earn-${n}`);
    spent.push((await post(n, 'Redemption', merged, 5, `job-burn-${n}`)).body.result.data.activityId);
  }
  await merge(0, survivor, merged);
  const answers = await Promise.all([
    through(0).post('/jobs/members/run'),
    through(1).post('/jobs/members/run'),
    through(0).post('/jobs/aggregates/run'),
    ...spent.map((id, n) => sure(() => through(n).post(`/activity/${id}/cancel`))),
  ]);
  expect(answers.map(({ status, body }) => [status, body.error ?? null])).toEqual(answers.map(() => [200, null]));
  expect(await acting.purse(survivor._id)).toMatchObject({ balance: 40, burnedPoints: 0, debt: 0 });
  await through(0).post('/jobs/members/run');
  await through(0).post('/jobs/aggregates/run');
  const query = encodeURIComponent(JSON.stringify({ memberId: survivor._id, metricName: 'spend' }));
  const { body } = await through(0).get(`/dailyaggregates?query=${query}`);
  expect(body.map(({ metricAggValue }: { metricAggValue: number }) => metricAggValue)).toEqual([40]);
  expect(await world.services.db.collection('accrualitems').countDocuments({ member: merged._id })).toBe(0);
});

test('after all of it, the ledgers agree', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
