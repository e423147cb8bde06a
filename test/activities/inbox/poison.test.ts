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

test('an activity whose writes collide each time ends in Error, and the next one of its member is processed', async () => {
  const acting = activityApi(world);
  const { db } = world.services;
  const member = await world.addMember();
  const post = (value: number, externalTxnId: string) =>
    acting.post({ type: 'Accrual', memberID: member._id, value, externalTxnId }, '?async=true');
  await post(100, 'collides');
  await post(20, 'follows');
  const stored = await collectionOf(db, submissionResource).findOne({ key: 'collides' });
  // A record of another org has the id that the history of the first activity will have.
  const history = { _id: stored?._id, org: new ObjectId() };
  await collectionOf(db, activityHistoryResource).insertOne(history as never);

  const client = world.server.as('client');
  const statusOf = async (key: string) => (await client.get(`/activity/status/${key}`)).body.status;
  for (let n = 1; n <= attemptsMax; n += 1) await acting.drain();
  expect([await statusOf('collides'), await statusOf('follows')]).toEqual(['Error', 'Processed']);
  expect(await acting.balance(member._id)).toBe(20);
  const { body } = await client.get('/refusedactivities?externalTxnId=collides');
  expect(body).toMatchObject([{ memberID: member._id.toHexString(), value: 100, errors: [{ code: 1300 }] }]);
});
