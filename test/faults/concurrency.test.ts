import { type Client, client, type Response } from '../support/client';
import { type ServiceProcess, startApi } from '../support/processes';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

let world: World;
let apis: (ServiceProcess & { url: string })[] = [];
let clients: Client[];

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  // Both process what they get, so that they conflict.
  const config = { ...world.services.config, PEER_HOST: 'none' };
  apis = await Promise.all([startApi(config), startApi(config)]);
  clients = apis.map(({ url }) => client(url, world.services.users.client.token));
});

afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()));
  await world.close();
});

const through = (n: number): Client => clients[n % clients.length] ?? world.server.as('client');
const times = (count: number) => Array.from({ length: count }, (_unused, n) => n);

/** Posts until the answer is not 503, as a client does. A busy machine may take longer than a request may. */
async function untilAnswered(n: number, activity: Record<string, unknown>): Promise<Response> {
  const answer = await through(n).post('/activity', activity);
  return answer.status === 503 ? untilAnswered(n, activity) : answer;
}

test('1,000 concurrent redemptions of one point each through two processes never overdraw a balance of 500', async () => {
  const member = await world.addMember();
  await through(0).post('/activity', { type: 'Accrual', memberID: member._id, value: 500 });
  const answers = await Promise.all(
    times(1000).map((n) =>
      untilAnswered(n, { type: 'Redemption', memberID: member._id, value: 1, externalTxnId: `burn-${n}` }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const codes = answers.flatMap(({ body }) => body.result.errors.map((error: { code: number }) => error.code));
  expect(codes).toEqual(times(500).map(() => 2100));
  const { body } = await through(0).get(`/members/${member._id}/purses`);
  expect(body[0]).toMatchObject({ balance: 0, availBalance: 0, burnedPoints: 500, debt: 0 });
});

test('identical posts of one key through two processes have one effect, and every answer names it', async () => {
  const member = await world.addMember();
  const keys = times(20);
  const answers = await Promise.all(
    keys.flatMap((key) =>
      times(10).map((n) =>
        untilAnswered(n, { type: 'Accrual', memberID: member._id, value: 3, externalTxnId: `same-${key}` }),
      ),
    ),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  for (const key of keys) {
    const ids = answers.slice(key * 10, key * 10 + 10).map(({ body }) => body.result.data.activityId);
    expect(new Set(ids).size).toBe(1);
  }
  const { body } = await through(1).get(`/members/${member._id}/purses`);
  expect(body[0].balance).toBe(60);
});

test('concurrent cancels of one activity through two processes give it back once', async () => {
  const member = await world.addMember();
  const { body } = await through(0).post('/activity', { type: 'Accrual', memberID: member._id, value: 9 });
  const id = body.result.data.activityId;
  const cancels = await Promise.all(times(8).map((n) => through(n).post(`/activity/${id}/cancel`)));
  const codes = cancels.flatMap((answer) => answer.body.result.errors.map((error: { code: number }) => error.code));
  expect(codes).toEqual(times(7).map(() => 2300));
  const purses = await through(1).get(`/members/${member._id}/purses`);
  expect(purses.body[0]).toMatchObject({ balance: 0, debt: 0 });
});

test('a limit shared by all members is never exceeded by two processes at once', async () => {
  const limited = {
    ...earnRule,
    limits: [{ what: 'points', per: 'program', period: 'lifetime', max: 100, onExceed: 'reduce' }],
  };
  await world.publish([limited, redeemRule]);
  const members = await Promise.all(times(10).map(() => world.addMember()));
  const answers = await Promise.all(
    times(60).map((n) =>
      through(n).post('/activity', { type: 'Accrual', memberID: members[n % members.length]?._id, value: 7 }),
    ),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const purses = await Promise.all(members.map(({ _id }) => through(0).get(`/members/${_id}/purses`)));
  expect(purses.reduce((sum, { body }) => sum + body[0].balance, 0)).toBe(100);
});
