import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { recoverInbox } from '#activities/inbox/recoverInbox';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

test('a queued activity is counted until it is processed', async () => {
  const { services } = world;
  const { _id: memberID } = await world.addMember();
  const body = { type: 'Accrual', memberID, value: 7 };
  expect((await world.server.as('client').post('/activity?async=true', body)).status).toBe(202);
  expect(await recoverInbox(services, { org: services.org._id })).toEqual({ queued: 1 });
  const inbox = createInboxDrain(services);
  expect(await inbox.drain()).toEqual({ processed: 1 });
  await inbox.close();
  expect(await recoverInbox(services, { org: services.org._id })).toEqual({ queued: 0 });
});
