import { createInboxDrain } from '../../../src/activities/inbox/inboxDrain';
import { recoverInbox } from '../../../src/activities/inbox/recoverInbox';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

test('what version 0.1 queued in lanes is processed', async () => {
  const { services, server } = world;
  const member = await world.addMember();
  const activity = { type: 'Accrual', memberID: member._id, value: 7 };
  expect((await server.as('client').post('/activity?async=true', activity)).status).toBe(202);
  const submissions = services.db.collection('submissions');
  await submissions.updateMany({ status: 'Queued' }, { $rename: { partition: 'lane' } });
  const inbox = createInboxDrain(services);
  expect(await inbox.drain()).toEqual({ processed: 0 });
  expect(await recoverInbox(services, { org: services.org._id })).toEqual({ queued: 1 });
  expect(await inbox.drain()).toEqual({ processed: 1 });
  await inbox.close();
  const { body } = await server.as('client').get(`/members/${member._id}/purses`);
  expect(body[0].balance).toBe(7);
});
