import { makeTierPolicy } from '../../support/definitions';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  // The machine's clock: the ids of records begin with its time.
  world = await openWorld({ rules: [earnRule, redeemRule], program: { timezone: 'America/New_York' } });
});
afterAll(() => world.close());

const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
const reader = () => world.server.as('reader');
const report = (query: string) => reader().get(`/reports/program?program=${world.program._id.toHexString()}&${query}`);
const post = (loyaltyID: string, type: string, value: number) =>
  world.server.as('client').post('/activity', { type, loyaltyID, srcChannelType: 'POS', value });

test('the report of a period has the records made in it, whatever the dates of the activities', async () => {
  const { loyaltyID } = await world.addMember();
  const earned = await post(loyaltyID, 'Accrual', 120);
  await post(loyaltyID, 'Redemption', 50);
  const late = { type: 'Accrual', loyaltyID, srcChannelType: 'POS', value: 7, date: '2024-02-01T12:00:00.000Z' };
  await world.server.as('client').post('/activity', late);
  const refused = await post(loyaltyID, 'Redemption', 9999);
  expect(refused.body.result.errors[0].code).toBe(2100);

  const { status, body } = await report(`from=${from}`);
  expect(status).toBe(200);
  const sum = (name: string) =>
    body.steps.reduce((total: number, step: Record<string, number>) => total + (step[name] ?? 0), 0);
  const names = ['activities', 'failed', 'earned', 'redeemed', 'expired', 'reversed'];
  expect(names.map(sum)).toEqual([4, 1, 127, 50, 0, 0]);
  expect(body.errors).toEqual([{ code: 2100, count: 1 }]);
  expect(body.rules).toMatchObject([{ points: 127, awards: 2 }]);
  // A step begins at midnight in New York: at 4 or 5 o'clock UTC.
  for (const { at } of body.steps) expect(at).toMatch(/T0[45]:00:00\.000Z$/);

  await world.server.as('client').post(`/activity/${earned.body.result.data.activityId}/cancel`, {});
  const after = await report(`from=${from}`);
  expect(after.body.steps.reduce((total: number, { reversed }: { reversed: number }) => total + reversed, 0)).toBe(120);
});

test.each(['2020', '1950', '2150', '9000'])(
  'a period in %s, in which nothing was recorded, has no steps',
  async (year) => {
    const { body } = await report(`from=${year}-01-01T00:00:00.000Z&to=${year}-02-01T00:00:00.000Z`);
    expect(body).toMatchObject({ steps: [], rules: [], errors: [], timezone: 'America/New_York', by: 'day' });
  },
);

test.each([
  ['program', `/reports/program?from=${from}`, 400],
  ['program', `/reports/program?program=x&from=${from}`, 400],
  ['from', '/reports/program?program=P', 400],
  ['from', '/reports/program?program=P&from=yesterday', 400],
  ['from', '/reports/program?program=P&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 400],
  ['by', '/reports/program?program=P&from=2026-02-01T00:00:00Z&by=year', 400],
  ['steps', '/reports/program?program=P&from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&by=hour', 400],
  ['Program', '/reports/program?program=000000000000000000000000&from=2026-02-01T00:00:00Z', 404],
  ['program', '/reports/members', 400],
  ['Program', '/reports/members?program=000000000000000000000000', 404],
])('a report refuses a query in which %s is wrong: %s', async (named, path, expected) => {
  const { status, body } = await reader().get(path.replace('=P', `=${world.program._id.toHexString()}`));
  expect([status, body.message]).toEqual([expected, expect.stringContaining(named)]);
});

test('the report of members counts them by status and level, without merged and erased ones', async () => {
  const { services, author, program } = world;
  await makeTierPolicy(services.db, author, program, {
    name: 'Status',
    levels: [{ name: 'Silver', number: 1, threshold: 100 }],
    basis: { metric: 'spend', period: 'year' },
  });
  const before = (await reader().get(`/reports/members?program=${program._id.toHexString()}`)).body;
  const [silver, merged, plain] = [await world.addMember(), await world.addMember(), await world.addMember()];
  await post(silver.loyaltyID, 'Accrual', 150);
  const memberIds = [merged._id.toHexString()];
  await world.server.as('admin').post(`/members/${plain._id.toHexString()}/merge`, { memberIds });
  const { status, body } = await reader().get(`/reports/members?program=${program._id.toHexString()}`);
  expect([status, body.members - before.members]).toEqual([200, 2]);
  expect(body.statuses).toContainEqual({ status: 'Merged', members: 1 });
  expect(body.levels).toMatchObject([{ policy: 'Status', level: 'Silver', number: 1, members: 1 }]);
});

test('a client may not read reports', async () => {
  expect(
    (await world.server.as('client').get(`/reports/members?program=${world.program._id.toHexString()}`)).status,
  ).toBe(403);
});
