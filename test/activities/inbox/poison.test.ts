import { ObjectId } from 'bson';
import { attemptsMax } from '#activities/inbox/inboxDrain';
import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { submissionResource } from '#records/activities/submission';
import { earnRule, openWorld, type World } from '../../support/world';
import { activityApi } from '../activityApi';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

const submissionOf = (key: string) => collectionOf(world.services.db, submissionResource).findOne({ key });

/** Makes a record of another org with the id that the history of a queued activity will have. */
async function takeId(key: string): Promise<void> {
  const history = { _id: (await submissionOf(key))?._id, org: new ObjectId() };
  await collectionOf(world.services.db, activityHistoryResource).insertOne(history as never);
}

test('a drain that can process nothing ends, and leaves the next attempt to a later one', async () => {
  const acting = activityApi(world);
  const { _id: memberID } = await world.addMember();
  await acting.post({ type: 'Accrual', memberID, value: 5, externalTxnId: 'alone' }, '?async=true');
  await takeId('alone');
  for (const attempts of [1, 2]) {
    await acting.drain();
    expect(await submissionOf('alone')).toMatchObject({ status: 'Queued', attempts });
  }
});

test('an activity whose writes collide each time ends in Error, and the next one of its member is processed', async () => {
  const acting = activityApi(world);
  const member = await world.addMember();
  const post = (value: number, externalTxnId: string) =>
    acting.post({ type: 'Accrual', memberID: member._id, value, externalTxnId }, '?async=true');
  await post(100, 'collides');
  await post(20, 'follows');
  await takeId('collides');

  const client = world.server.as('client');
  const statusOf = async (key: string) => (await client.get(`/activity/status/${key}`)).body.status;
  for (let n = 1; n <= attemptsMax; n += 1) await acting.drain();
  expect([await statusOf('collides'), await statusOf('follows')]).toEqual(['Error', 'Processed']);
  expect(await acting.balance(member._id)).toBe(20);
  const { body } = await client.get('/refusedactivities?externalTxnId=collides');
  expect(body).toMatchObject([{ memberID: member._id.toHexString(), value: 100, errors: [{ code: 1300 }] }]);
});
