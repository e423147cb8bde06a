import { collectionOf } from '#base/db/collections';
import { type Member, memberResource } from '#records/members/member';
import { refusals } from '../support/refusals';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

let world: World;
let acting: ActivityApi;
let merged: Member;
let survivor: Member;

async function merge({ _id }: Member, into: Member): Promise<void> {
  const { status } = await world.server.as('admin').post(`/members/${into._id}/merge`, { memberIds: [_id] });
  expect(status).toBe(200);
}

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
});

beforeEach(async () => {
  merged = await world.addMember();
  survivor = await world.addMember();
});

afterAll(() => world.close());

test('an activity of a merged member goes to the survivor, as the log says', async () => {
  await merge(merged, survivor);
  const { status, body } = await acting.post({ type: 'Accrual', memberID: merged._id, value: 5 });
  expect([status, body.member._id]).toEqual([200, survivor._id.toHexString()]);
  expect(body.result.log[0]).toMatchObject({
    action: 'merged',
    type: 'Accrual',
    results: { memberID: merged._id.toHexString(), mergedInto: survivor._id.toHexString() },
  });
  expect((await acting.history(body.result.data.activityId)).memberID).toBe(survivor._id.toHexString());
  expect(await acting.balance(survivor._id)).toBe(5);
});

test('the loyalty id of a merged member leads to the survivor, alone and beside the id of either', async () => {
  await merge(merged, survivor);
  const { loyaltyID } = merged;
  for (const named of [{}, { memberID: merged._id }, { memberID: survivor._id }]) {
    const { body } = await acting.post({ type: 'Accrual', value: 5, loyaltyID, ...named });
    expect(body.member._id).toBe(survivor._id.toHexString());
  }
  const other = await world.addMember();
  const refused = await acting.post({ type: 'Accrual', value: 5, loyaltyID, memberID: other._id });
  expect(refusals(refused)).toEqual(['loyaltyID reference']);
  expect(await acting.balance(survivor._id)).toBe(15);
});

test('several merges in a row are followed, and the points of the last survivor can be burned', async () => {
  const last = await world.addMember();
  await merge(merged, survivor);
  await merge(survivor, last);
  await acting.processed('Accrual', merged._id, { value: 5 });
  await acting.processed('Redemption', merged._id, { value: 3 });
  expect(await acting.balance(last._id)).toBe(2);
});

test('a member merged into one that is unknown answers 404', async () => {
  const unknown = { $set: { status: 'Merged' as const, mergedInto: world.program._id } };
  await collectionOf(world.services.db, memberResource).updateOne({ _id: merged._id }, unknown);
  expect((await acting.post({ type: 'Accrual', memberID: merged._id })).status).toBe(404);
});

test('a cancel of an activity from before the merge is a cancel of the survivor', async () => {
  const id = await acting.processed('Accrual', merged._id, { value: 0 });
  await merge(merged, survivor);
  const other = await world.addMember();
  expect((await acting.cancel(id, {}, `?memberId=${other._id}`)).status).toBe(404);
  const answer = await acting.cancel(id, {}, `?memberId=${merged._id}`);
  expect([codes(answer), answer.body.member._id]).toEqual([[], survivor._id.toHexString()]);
  const { body } = await world.server.as('client').get(`/members/${survivor._id}`);
  const sums = body.aggregates.map((each: Record<string, unknown>) => [each.metricName, each.metricAggValue]);
  expect(sums).toEqual([
    ['spend', 0],
    ['visits', 0],
  ]);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
