import { createInboxDrain } from '../../../src/activities/inbox/inboxDrain';
import { recoverInbox } from '../../../src/activities/inbox/recoverInbox';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
afterAll(() => world.close());

const post = async (type: string, memberID: unknown, value: number) => {
  const { status } = await world.server.as('client').post('/activity?async=true', { type, memberID, value });
  expect(status).toBe(202);
};
const toLanes = () =>
  world.services.db.collection('submissions').updateMany({ status: 'Queued' }, { $rename: { partition: 'lane' } });
const balance = async (id: unknown) => (await world.server.as('client').get(`/members/${id}/purses`)).body[0].balance;

test('what version 0.1 queued in lanes is processed, before what was accepted since', async () => {
  const { _id } = await world.addMember();
  await post('Accrual', _id, 7);
  await toLanes();
  await post('Redemption', _id, 5);
  const inbox = createInboxDrain(world.services);
  expect(await inbox.drain()).toEqual({ processed: 2 });
  await inbox.close();
  expect(await balance(_id)).toBe(2);
});

test('what an API process of version 0.1 queues while both run is processed too', async () => {
  const { services } = world;
  const { _id } = await world.addMember();
  const inbox = createInboxDrain(services);
  expect(await inbox.drain()).toEqual({ processed: 0 });
  await post('Accrual', _id, 7);
  await toLanes();
  expect(await inbox.drain()).toEqual({ processed: 0 });
  expect(await recoverInbox(services, { org: services.org._id })).toEqual({ queued: 1 });
  expect(await inbox.drain()).toEqual({ processed: 1 });
  await inbox.close();
  expect(await balance(_id)).toBe(7);
});
