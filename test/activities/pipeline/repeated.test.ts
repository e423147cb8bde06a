import { ObjectId } from 'bson';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
afterAll(() => world.close());

async function requestFor(memberID: ObjectId, type: 'Accrual' | 'Redemption', value: number): Promise<PipelineRequest> {
  const activity = { type, memberID, value, date: world.services.clock.now(), lineItems: [] };
  return {
    author: world.author,
    historyId: new ObjectId(),
    activity: activity as unknown as PipelineRequest['activity'],
    endsAt: elapsedMs() + 5000,
  };
}

const submit = (request: PipelineRequest) => world.services.pipeline.submit(request);
const countHistories = (memberID: ObjectId) =>
  collectionOf(world.services.db, activityHistoryResource).countDocuments({ org: world.author.org, memberID });

test('a repeated request that was committed before gets its result, also when it would now be refused', async () => {
  const { _id } = await world.addMember();
  await submit(await requestFor(_id, 'Accrual', 10));
  const redemption = await requestFor(_id, 'Redemption', 10);
  const first = await submit(redemption);
  expect(first.result.errors).toEqual([]);
  const again = await submit({ ...redemption, isRepeated: true });
  expect(again.result).toEqual(first.result);
  expect(again.replayed).toBe(false);
  expect(again.member?.purses[0]).toMatchObject({ balance: 0, burnedPoints: 10 });
  expect(await countHistories(_id)).toBe(2);
});

test('a repeated request that was not committed is processed', async () => {
  const { _id } = await world.addMember();
  const outcome = await submit({ ...(await requestFor(_id, 'Accrual', 3)), isRepeated: true });
  expect(outcome.member?.purses[0]).toMatchObject({ balance: 3 });
});

test('two processes that commit the same request at once commit it once', async () => {
  const { _id } = await world.addMember();
  const request = await requestFor(_id, 'Accrual', 3);
  const first = await submit(request);
  // This one does not know that it is a repetition. The id of its history is taken.
  const second = await submit({ ...request });
  expect(second.result).toEqual(first.result);
  expect(await countHistories(_id)).toBe(1);
});

test('a request that its process has taken back is not decided, and its neighbours are', async () => {
  const [gone, kept] = [await world.addMember(), await world.addMember()];
  let isGone = false;
  const taken = submit({
    ...(await requestFor(gone._id, 'Accrual', 1)),
    // It is in its batch already when it is taken back.
    isGone: () => {
      const wasGone = isGone;
      isGone = true;
      return wasGone;
    },
  });
  const beside = submit(await requestFor(kept._id, 'Accrual', 1));
  await expect(taken).rejects.toMatchObject({ reason: 'unavailable' });
  expect((await beside).member?.purses[0]).toMatchObject({ balance: 1 });
  await expect(submit({ ...(await requestFor(gone._id, 'Accrual', 1)), isGone: () => true })).rejects.toThrow();
  expect(await countHistories(gone._id)).toBe(0);
});
