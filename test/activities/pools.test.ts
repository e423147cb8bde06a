import { fc, test as property } from '@fast-check/jest';
import type { ObjectId } from 'bson';
import { message } from '#base/common/messages/message';
import { pooledPoints } from '#engine/rules/actions/pool';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import type { Member } from '#records/members/member';
import { scaled } from '../support/scale';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const value = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const lineAmount = { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 };
const half = { share: 0.5 };

const rules = [
  { ...earnRule, actions: [{ type: 'addPoints', purse: 'Points', points: value, pool: half }] },
  {
    ...earnRule,
    key: 'lines',
    name: 'lines',
    activityTypes: ['Adjustment'],
    perLine: true,
    actions: [{ type: 'addPoints', purse: 'Points', points: lineAmount, pool: { share: 0.3 } }],
  },
  {
    ...earnRule,
    key: 'own',
    name: 'own',
    activityTypes: ['Referral'],
    actions: [
      {
        type: 'addPoints',
        purse: 'Points',
        points: value,
        escrow: { type: 'duration', value: 3, unit: 'day' },
        pool: { share: { fact: 'member', path: '$.ext.share' } },
      },
    ],
    limits: [{ what: 'points', per: 'member', period: 'day', max: 100 }],
  },
  redeemRule,
];

let world: World;
let acting: ActivityApi;
let head: Member;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules, policies: [{ primary: true }] });
  world.services.clock.set('2026-03-04T12:00:00.000Z');
  acting = activityApi(world);
});

beforeEach(async () => {
  head = await world.addMember({ type: 'Pooled' });
  member = await world.addMember({ familyHead: head._id });
});

afterAll(() => world.close());

const balances = (...members: Member[]) => Promise.all(members.map(async ({ _id }) => await acting.balance(_id)));
const act = (type: string, fields: Record<string, unknown>, id: ObjectId = member._id) =>
  acting.processed(type, id, fields);

property.prop([fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.integer({ min: 1, max: 10_000 })], {
  numRuns: scaled(500),
})('the share of an award is exact and rounded down', (points, tenThousandths) => {
  const exact = (BigInt(points) * BigInt(tenThousandths)) / 10_000n;
  expect(BigInt(pooledPoints(points, { share: tenThousandths / 10_000 }))).toBe(exact);
});

test('the head gets its share of the award, rounded down, and the member the rest', async () => {
  const id = await act('Accrual', { value: 101 });
  expect(await balances(member, head)).toEqual([51, 50]);
  const { body } = await world.server.as('admin').get(`/activityhistories/${id}/explain`);
  expect(body.ruleMatch[0].sentence).toBe(
    'It fired for 51 points in Points and 50 points in Points of another member.',
  );
  const earned = async ({ _id }: Member) => {
    const { aggregates } = (await world.server.as('client').get(`/members/${_id}`)).body;
    return aggregates.find(({ metricName }: { metricName: string }) => metricName === 'pointsEarned').metricAggValue;
  };
  expect([await earned(member), await earned(head)]).toEqual([51, 50]);
});

test('the share is of the granted points, also of those in escrow', async () => {
  const sharer = await world.addMember({ familyHead: head._id, ext: { share: 0.25 } });
  await act('Referral', { value: 130 }, sharer._id);
  const [own, heads] = [await acting.purse(sharer._id), await acting.purse(head._id)];
  expect([own.escrowsIn, heads.escrowsIn]).toEqual([75, 25]);
  expect(own.nextEscrow.date).toBe(heads.nextEscrow.date);
});

test.each([
  ['no share', {}],
  ['a share of 0', { ext: { share: 0 } }],
  ['no head', { familyHead: undefined, ext: { share: 0.5 } }],
])('with %s the member keeps all', async (_name, fields) => {
  const alone = await world.addMember({ familyHead: head._id, ...fields });
  await act('Referral', { value: 80 }, alone._id);
  expect(await balances(alone, head)).toEqual([80, 0]);
});

test('a head that is not active gets nothing, and the log says so; the head itself keeps its own awards', async () => {
  await world.server.as('client').patch(`/members/${head._id}`, { status: 'Suspended' });
  const { result } = await acting.history(await act('Accrual', { value: 10 }));
  expect(result.log).toContainEqual(
    expect.objectContaining({
      results: {
        isPooled: false,
        reason: 'the head of the family is Suspended, not Active',
        fault: message('activities.headFault', { fault: message('members.notActive', { status: 'Suspended' }) }),
      },
    }),
  );
  const self = await world.addMember();
  await world.server.as('client').patch(`/members/${self._id}`, { familyHead: self._id });
  await act('Accrual', { value: 10 }, self._id);
  expect(await balances(member, head, self)).toEqual([10, 0, 10]);
});

test('the survivor of a merged head gets the share', async () => {
  const survivor = await world.addMember();
  await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [head._id] });
  await act('Accrual', { value: 10 });
  expect(await balances(member, survivor)).toEqual([5, 5]);
});

test('a cancel takes back both parts, also when the head has spent its part', async () => {
  const id = await act('Accrual', { value: 101 });
  await act('Redemption', { value: 20 }, head._id);
  await acting.cancel(id);
  expect(await balances(member, head)).toEqual([0, -20]);
});

test('a return of lines leaves both parts as if only the rest had been bought', async () => {
  const lineItems = [7, 13, 26, 9].map((itemPrice, n) => ({ _id: `l${n}`, itemPrice, quantity: 3 }));
  const id = await act('Adjustment', { lineItems });
  expect(await balances(member, head)).toEqual([165 - 49 + 1, 48]);
  await acting.cancel(id, { lineItems: [{ _id: 'l1', quantity: 2 }] });
  const rest = [21, 13, 78, 27].map((amount) => Math.floor((amount * 3) / 10));
  const shared = rest.reduce((sum, each) => sum + each, 0);
  expect(await balances(member, head)).toEqual([139 - shared, shared]);
  await acting.cancel(id);
  expect(await balances(member, head)).toEqual([0, 0]);
});

test('returns by value take the share of each part, and finally all of both', async () => {
  const id = await act('Accrual', { value: 101 });
  await acting.cancel(id, { value: 51 });
  expect(await balances(member, head)).toEqual([51 - Math.floor((51 * 51) / 101), 50 - Math.floor((50 * 51) / 101)]);
  await acting.cancel(id);
  expect(await balances(member, head)).toEqual([0, 0]);
});

test('64 activities of a family at once give the head the sum of all shares', async () => {
  const family = await Promise.all(Array.from({ length: 8 }, () => world.addMember({ familyHead: head._id })));
  const values = Array.from({ length: 64 }, (_, n) => 2 * n + 1);
  await Promise.all(values.map((each, n) => act('Accrual', { value: each }, family[n % 8]?._id)));
  const shares = values.reduce((sum, each) => sum + Math.floor(each / 2), 0);
  const all = values.reduce((sum, each) => sum + each, 0);
  expect(await balances(head)).toEqual([shares]);
  expect((await balances(...family)).reduce((sum, each) => sum + each, 0)).toBe(all - shares);
});

test('a simulation of unchanged rules finds no difference, and one of another share finds it', async () => {
  await act('Accrual', { value: 100 });
  const manager = world.server.as('program-manager');
  const simulate = async (share: number) => {
    const changed = rules.map((rule) =>
      rule.key === 'earn' ? { ...rule, actions: [{ ...rule.actions[0], pool: { share } }] } : rule,
    );
    const body = { files: { 'main/rules.json': JSON.stringify(changed) } };
    const response = await manager.post('/rules/simulate', body);
    await runNextSimulation(world.services);
    return (await manager.send('GET', String(response.headers.get('location')))).body.result;
  };
  const same = await simulate(0.5);
  expect(same).toMatchObject({ differing: 0, notEvaluated: 0, members: { winners: 0, losers: 0 } });
  const { members: less } = await simulate(0.4);
  expect(less.winners).toBeGreaterThan(0);
  expect(less.losers).toBeGreaterThan(0);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
