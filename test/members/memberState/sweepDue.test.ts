import { collectionOf } from '#base/db/collections';
import { sweepDue } from '#members/memberState/sweepDue';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;

beforeAll(async () => {
  const expiry = { type: 'rolling', value: 10, unit: 'day' } as const;
  world = await openWorld({ rules: [earnRule], policies: [{ primary: true, expiry }] });
});
afterAll(() => world.close());

test('a member that cannot be settled does not stop the others', async () => {
  const { services, program } = world;
  const acting = activityApi(world);
  services.clock.set('2026-03-01T12:00:00.000Z');
  const first = await world.addMember();
  const faulty = await world.addMember();
  const members = [first, faulty, await world.addMember()];
  for (const { _id } of members) await acting.processed('Accrual', _id, { value: 5 });
  // Its next journal entry has a number that is taken.
  await collectionOf(services.db, memberResource).updateOne({ _id: faulty._id }, { $set: { seq: 0 } });
  services.clock.set('2026-03-20T12:00:00.000Z');
  await expect(sweepDue(services, { now: services.clock.now(), org: program.org })).rejects.toThrow();
  const items = collectionOf(services.db, accrualItemResource);
  const states = await items.find({ org: program.org }).sort({ member: 1 }).toArray();
  expect(states.map(({ member, state }) => [String(member), state])).toEqual(
    members.map(({ _id }) => [String(_id), _id === faulty._id ? 'available' : 'expired']),
  );
});
