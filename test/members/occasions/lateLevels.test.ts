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

/** A new member of a ladder that counts late activities, Bronze at 100, Silver at 300. Each occasion gives 500 or 1. */
beforeEach(async () => {
  world = await addWorld(host, { rules: [] });
  world.services.clock.set('2026-06-01T12:00:00.000Z');
  const expiry = { value: 1, unit: 'year', snap: 'endOfYear' };
  const ladder = { basis: { metric: 'spend', period: 'year' }, expiry, lateClaims: 'counted' };
  await makeTierPolicy(world.services.db, world.author, world.program, { ...ladder, downgrade: 'full' } as object);
  await world.publish([occasionRule('TierReached', 500), occasionRule('TierLost', 1)]);
  acting = occasionsIn(world);
  member = await world.addMember();
});

const reported = async () =>
  (await acting.occasions(member._id)).map(
    ({ type, status, occasion }) => `${type} ${occasion?.level ?? '-'} ${status}`,
  );

const late = '2025-06-15T12:00:00.000Z';

/** One second later, spends. */
async function spend(value: number, fields = {}): Promise<string> {
  world.services.clock.advance(1000);
  const id = await acting.processed('Accrual', member._id, { value, ...fields });
  await acting.drain();
  return id;
}

async function cancel(id: string): Promise<void> {
  world.services.clock.advance(1000);
  await acting.cancel(id);
  await acting.drain();
}

test.each([
  ['first', { date: late }, {}],
  ['last', {}, { date: late }],
])(
  'a level that a late activity gives too, posted %s, keeps its occasion until both are cancelled',
  async (_, a, b) => {
    const [one, two] = [await spend(100, a), await spend(100, b)];
    await cancel(one);
    expect(await reported()).toEqual(['TierReached Bronze Processed']);
    await cancel(two);
    expect((await reported()).sort()).toEqual(['TierLost - Processed', 'TierReached Bronze Cancelled']);
    expect(await acting.balance(member._id)).toBe(1);
    expect(await acting.mismatches()).toEqual([]);
  },
);

test('a level that was renewed gives its occasion back when the cancels take it away', async () => {
  const first = await spend(100);
  world.services.clock.set('2027-06-01T12:00:00.000Z');
  const second = await spend(100);
  world.services.clock.set('2028-01-01T00:00:00.000Z');
  await world.server.as('admin').post('/jobs/tiers/run');
  await cancel(first);
  expect(await reported()).toEqual(['TierReached Bronze Processed']);
  await cancel(second);
  expect((await reported()).sort()).toEqual(['TierLost - Processed', 'TierReached Bronze Cancelled']);
});

test('a level that has already ended keeps its occasions', async () => {
  const first = await spend(100);
  world.services.clock.set('2028-01-01T00:00:00.000Z');
  await world.server.as('admin').post('/jobs/tiers/run');
  await acting.drain();
  await cancel(first);
  expect((await reported()).sort()).toEqual(['TierLost - Processed', 'TierReached Bronze Processed']);
});
