import { type Client, client } from '../../support/client';
import { makeTestOrg } from '../../support/services';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

const day = 86_400_000;
const start = new Date('2026-03-01T10:00:00.000Z');

let world: World;
let api: Client;

beforeAll(async () => {
  world = await openWorld({
    rules: [earnRule, redeemRule, { ...earnRule, key: 'bonus', name: 'Bonus', actions: [bonusAction] }],
    policies: [
      {
        name: 'Points',
        primary: true,
        escrow: { type: 'duration', value: 7, unit: 'day' },
        expiry: { type: 'rolling', value: 30, unit: 'day' },
      },
      { name: 'Bonus' },
    ],
  });
  api = world.server.as('client');
});

afterAll(() => world.close());

beforeEach(() => world.services.clock.set(start));

const bonusAction = { type: 'addPoints', purse: 'Bonus', points: 5 };

async function memberWith(value: number): Promise<string> {
  const { _id, loyaltyID } = await world.addMember();
  const posted = await api.post('/activity', { type: 'Accrual', loyaltyID, value });
  expect(posted.body.result.errors).toEqual([]);
  return _id.toHexString();
}

const policyId = (name: string) => world.policies.find((policy) => policy.name === name)?._id;

describe('GET /members/{id}/purses', () => {
  test('shows due lots as released, then as expired, without a timer', async () => {
    const member = await memberWith(100);
    const points = async () => (await api.get(`/members/${member}/purses`)).body[0];
    expect(await points()).toMatchObject({ balance: 100, availBalance: 0, escrowsIn: 100 });

    world.services.clock.advance(7 * day);
    expect(await points()).toMatchObject({ balance: 100, availBalance: 100, escrowsIn: 0, expiresIn: 100 });

    world.services.clock.advance(30 * day);
    expect(await points()).toMatchObject({ balance: 0, availBalance: 0, expiredPoints: 100 });
  });

  test('settles once for many readers at once', async () => {
    const member = await memberWith(40);
    world.services.clock.advance(8 * day);

    await Promise.all(Array.from({ length: 10 }, () => api.get(`/members/${member}/purses`)));

    expect((await api.get(`/journal/count?member=${member}&kind=release`)).body).toEqual({ count: 1 });
  });
});

describe('GET /members/{id}/statement', () => {
  test('gives the journal with the running balance, by purse and time, settled first', async () => {
    const member = await memberWith(100);
    world.services.clock.advance(8 * day);

    const { status, body } = await api.get(`/members/${member}/statement`);

    expect(status).toBe(200);
    const lines = body.map((entry: Record<string, unknown>) => {
      const { purse, kind, available, escrow, balanceAfter, availAfter } = entry;
      return { purse, kind, available, escrow, balanceAfter, availAfter };
    });
    const points = policyId('Points')?.toHexString();
    const bonus = policyId('Bonus')?.toHexString();
    expect(lines).toEqual([
      { purse: points, kind: 'accrue', available: 0, escrow: 100, balanceAfter: 100, availAfter: 0 },
      { purse: points, kind: 'release', available: 100, escrow: -100, balanceAfter: 100, availAfter: 100 },
      { purse: bonus, kind: 'accrue', available: 5, escrow: 0, balanceAfter: 5, availAfter: 5 },
    ]);
  });

  test('pages with skip, limit and a Link to the next page; `purse` narrows', async () => {
    const member = await memberWith(100);
    world.services.clock.advance(8 * day);
    const whole = (await api.get(`/members/${member}/statement`)).body;

    const first = await api.get(`/members/${member}/statement?limit=2`);
    expect(first.body).toEqual(whole.slice(0, 2));
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await api.send('GET', next);
    expect(second.body).toEqual(whole.slice(2));
    expect(second.headers.get('link')).toBeNull();

    const narrowed = await api.get(`/members/${member}/statement?purse=${policyId('Bonus')}`);
    expect(narrowed.body).toEqual(whole.slice(2));
  });

  test.each(['limit=0', 'limit=1001', 'skip=-1', 'limit=1&limit=2', 'purse=x', 'sort=at'])(
    'refuses %s',
    async (args) => {
      const member = await memberWith(1);

      expect((await api.get(`/members/${member}/statement?${args}`)).status).toBe(400);
    },
  );
});

describe('GET /accounts/totalpoints', () => {
  test('counts points that became spendable without a timer', async () => {
    const members = await Promise.all([memberWith(30), memberWith(12)]);
    const program = world.program._id;
    const { body } = await api.post('/accounts', { members: members.map((member) => ({ member, program })) });
    const total = async () => (await api.get(`/accounts/totalpoints/${body._id}/${policyId('Points')}`)).body;

    expect(await total()).toEqual({ points: 0 });
    world.services.clock.advance(7 * day);
    expect(await total()).toEqual({ points: 42 });
  });
});

describe('accrual items and journal', () => {
  test('are read with the query language, without hidden fields', async () => {
    const member = await memberWith(100);

    const { body: items } = await api.get(`/accrualitems?member=${member}&sort=-accruedPoints`);
    expect(items).toMatchObject([
      { accruedPoints: 100, escrowedPoints: 100, availablePoints: 0, hasEscrowed: false, state: 'escrow' },
      { accruedPoints: 5, availablePoints: 5, hasEscrowed: true, state: 'available' },
    ]);
    expect(items[0]).not.toHaveProperty('repaidPoints');
    expect((await api.get(`/accrualitems/${items[0]._id}`)).body).toEqual(items[0]);
    expect((await api.get(`/journal?accrualItem=${items[0]._id}`)).body).toMatchObject([{ kind: 'accrue', seq: 1 }]);
  });

  test('are not found from another org', async () => {
    const member = await memberWith(100);
    const { body: items } = await api.get(`/accrualitems?member=${member}`);
    const { users } = await makeTestOrg(world.services, 'other');
    const stranger = client(world.server.url, users.admin.token);

    expect((await stranger.get(`/accrualitems/${items[0]._id}`)).status).toBe(404);
    expect((await stranger.get(`/accrualitems?member=${member}`)).body).toEqual([]);
    expect((await stranger.get(`/journal/count?member=${member}`)).body).toEqual({ count: 0 });
  });
});

test('the journal cannot be written', async () => {
  const member = await memberWith(1);
  const { body: entries } = await api.get(`/journal?member=${member}`);
  const admin = world.server.as('ledger-admin');

  for (const path of ['/journal', `/journal/${entries[0]._id}`]) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await admin.send(method, `/api/v1${path}`, { body: {} });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    }
  }
});
