import type { Member } from '#records/members/member';
import { makeTierPolicy } from '../../support/definitions';
import { addWorld, openWorld, type World } from '../../support/world';
import { type Occasions, occasionRule, occasionsIn } from './occasionWorld';

let host: World;
let world: World;
let acting: Occasions;
let member: Member;

beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

/** Opens a world with a ladder, Bronze at 100, Silver at 300, Gold at 1,000, and these rules. */
async function open(rules: Record<string, unknown>[]) {
  world = await addWorld(host, { rules: [] });
  world.services.clock.set('2026-06-01T12:00:00.000Z');
  await makeTierPolicy(world.services.db, world.author, world.program);
  await world.publish([occasionRule('TierReached', 500), occasionRule('TierLost', 1), ...rules]);
  acting = occasionsIn(world);
  member = await world.addMember();
}

const setting = (level: string, priority: number) => ({
  key: `set-${priority}`,
  name: `Set ${level}`,
  activityTypes: ['Adjustment'],
  priority,
  actions: [{ type: 'setTier', policy: 'Status', level }],
});

/** Queues activities of the member and processes them as one batch. */
async function batch(...activities: Record<string, unknown>[]) {
  const bodies = activities.map((each) => ({ memberID: member._id, ...each }));
  const { body } = await world.server.as('client').post('/activities/bulk?async=true', bodies);
  await acting.drain();
  const ends = body.map(async ({ externalTxnId }: { externalTxnId: string }) => {
    return (await world.server.as('client').get(`/activity/status/${externalTxnId}`)).body;
  });
  return Promise.all(ends);
}

/** What the member's occasions are, in no order: those of one commit have one date. */
const reached = async () =>
  (await acting.occasions(member._id))
    .map(({ type, status, occasion }) => `${type} ${occasion?.level} ${status}`)
    .sort();

test('a level that one activity reaches twice makes one occasion', async () => {
  await open([setting('Gold', 30), setting('Silver', 20), setting('Gold', 10)]);
  await acting.processed('Adjustment', member._id, { value: 0 });
  await acting.drain();
  expect(await reached()).toEqual(['TierLost Silver Processed', 'TierReached Gold Processed']);
  expect(await acting.balance(member._id)).toBe(501);
});

test('a level that a batch revokes and reaches again is paid once', async () => {
  await open([]);
  const first = await acting.processed('Accrual', member._id, { value: 120 });
  await acting.drain();
  expect(await acting.balance(member._id)).toBe(500);
  world.services.clock.advance(1000);
  const ends = await batch(
    { type: 'Cancellation', originalTxnId: first },
    { type: 'Accrual', value: 150, date: '2026-06-01T12:00:00.500Z' },
  );
  expect(ends.map(({ status }) => status)).toEqual(['Processed', 'Processed']);
  await acting.drain();
  expect(await reached()).toEqual([
    'TierLost undefined Processed',
    'TierReached Bronze Cancelled',
    'TierReached Bronze Processed',
  ]);
  expect(await acting.balance(member._id)).toBe(501);
  expect(await acting.mismatches()).toEqual([]);
});
