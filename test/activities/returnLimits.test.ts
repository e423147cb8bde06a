import { runJob } from '#operations/jobs/runJob';
import type { Member } from '#records/members/member';
import { isRequested, ruleWhen } from '../support/ruleWhen';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

const add = (points: unknown) => ({ type: 'addPoints', purse: 'Points', points });
const perDay = (max: number) => [{ what: 'points', per: 'member', period: 'day', max }];

const rules = [
  ruleWhen('eligible', { actions: [add({ of: { fact: 'eligibleAmount' }, times: 1 })], limits: perDay(100) }),
  ruleWhen('lines', {
    perLine: true,
    actions: [add({ of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 })],
    limits: perDay(150),
  }),
  ruleWhen('large', {
    conditions: isRequested('lines', {
      fact: 'activity',
      path: '$.value',
      operator: 'greaterThanInclusive',
      value: 150,
    }),
    actions: [add(30)],
  }),
];

let world: World;
let acting: ActivityApi;
let member: Member;
let other: Member;

beforeAll(async () => {
  world = await openWorld({ rules });
  acting = activityApi(world);
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  for (const product of [{ sku: 'BREAD' }, { sku: 'TOBACCO', excludeFromEarning: true }]) {
    await world.server.as('admin').post('/products', { name: product.sku, ...product });
  }
});
beforeEach(async () => {
  [member, other] = [await world.addMember(), await world.addMember()];
});
afterAll(() => world?.close());

const line = (_id: string, itemPrice: number, itemSKU = 'BREAD') => ({ _id, itemPrice, quantity: 1, itemSKU });
const buy = (who: Member, key: string, lineItems: object[], fields: object = {}) =>
  acting.processed('Accrual', who._id, { lineItems, ext: { rule: key }, ...fields });
const back = async (id: string, body: object) => expect(codes(await acting.cancel(id, body))).toEqual([]);

/** Merges `member` into `other`, and moves its histories. */
async function merge() {
  const path = `/members/${other._id}/merge`;
  expect((await world.server.as('admin').post(path, { memberIds: [member._id] })).status).toBe(200);
  await runJob(world.services, 'members', world.services.org._id);
}

describe.each([
  ['of a member', false],
  ['of a member that was merged since', true],
])('limits of an activity %s', (_, isMerged) => {
  const owner = () => (isMerged ? other : member);

  test('stay used up when the returned part had earned nothing', async () => {
    const id = await buy(member, 'eligible', [line('a', 100), line('b', 50, 'TOBACCO')]);
    if (isMerged) await merge();
    await back(id, { lineItems: [{ _id: 'b' }] });
    await buy(owner(), 'eligible', [line('a', 100)]);
    expect(await acting.balance(owner()._id)).toBe(100);
  });

  test('leave the activity at most what it was granted', async () => {
    await buy(member, 'lines', [line('a', 100)]);
    const id = await buy(member, 'lines', [line('a', 100), line('b', 100)]);
    expect(await acting.balance(member._id)).toBe(180);
    if (isMerged) await merge();
    await back(id, { lineItems: [{ _id: 'a' }] });
    expect(await acting.balance(owner()._id)).toBe(150);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
