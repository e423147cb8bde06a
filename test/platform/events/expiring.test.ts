import { announceExpiring } from '#members/memberState/announceExpiring';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { openAlongside } from '../../support/services';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';
import { type Following, followEvents } from './following';

const days = (count: number) => count * 86_400_000;

let world: World;
let acting: ActivityApi;
let following: Following;
beforeAll(async () => {
  const inPurse = (purse: string) => ({ ...earnRule.actions[0], purse });
  world = await openWorld({
    rules: [{ ...earnRule, actions: [inPurse('Points'), inPurse('Held'), inPurse('Idle')] }, redeemRule],
    policies: [
      { expiry: { type: 'rolling', value: 60, unit: 'day' } },
      {
        name: 'Held',
        escrow: { type: 'duration', value: 40, unit: 'day' },
        expiry: { type: 'rolling', value: 20, unit: 'day' },
      },
      { name: 'Idle', expiry: { type: 'inactivity', value: 40, unit: 'day' } },
    ],
  });
  acting = activityApi(world);
  following = await followEvents(world);
});
afterAll(() => world.close());

const tell = async (name = 'expiring') => {
  const { status, body } = await world.server.as('admin').post(`/jobs/${name}/run`);
  if (status !== 200 || body.error) throw new Error(JSON.stringify(body));
  const events = (await following.more()).filter(({ type }) => type === 'points.expiring');
  return events.map(({ member, data }): Record<string, unknown> => ({ member, ...data }));
};
const later = (count: number) => world.services.clock.advance(days(count));

test('points are announced once when their expiry is 30 days away, by purse and date', async () => {
  const { _id } = await world.addMember();
  const earn = (value: number) => acting.processed('Accrual', _id, { value });
  await earn(5);
  await earn(6);
  later(9);
  expect(await tell()).toEqual([]);
  later(1);
  const [idle, ...others] = await tell();
  const member = _id.toHexString();
  expect(idle).toMatchObject({ member, purse: 'Idle', points: 11, daysBefore: 30, items: 2 });
  expect(others).toEqual([]);
  expect(await tell()).toEqual([]);
  later(20);
  const soon = await tell();
  // The points in escrow are released before they expire.
  expect(soon.map(({ purse, points, items }) => [purse, points, items]).sort()).toEqual([
    ['Held', 5, 1],
    ['Held', 6, 1],
    ['Points', 5, 1],
    ['Points', 6, 1],
  ]);
  expect(await tell()).toEqual([]);
  expect(await tell('daychange')).toEqual([]);
});

test('spent points are not announced, and a changed date is announced again', async () => {
  const { _id } = await world.addMember();
  await acting.processed('Accrual', _id, { value: 5 });
  await acting.processed('Redemption', _id, { value: 5 });
  later(15);
  expect((await tell()).map(({ purse }) => purse)).toEqual(['Idle']);
  await acting.processed('Accrual', _id, { value: 1 });
  expect(await tell()).toEqual([]);
  later(15);
  expect((await tell('daychange')).map(({ purse, points }) => [purse, points]).sort()).toEqual([
    ['Held', 5],
    ['Idle', 6],
  ]);
});

test('one of two runs at once announces', async () => {
  for (let n = 0; n < 5; n += 1) await acting.processed('Accrual', (await world.addMember())._id, { value: 3 });
  later(20);
  const other = await openAlongside(world.server.services);
  const scope = { org: world.services.org._id, now: world.services.clock.now() };
  const counts = await Promise.all(
    [world.services, other, world.services].map((each) => announceExpiring(each, scope)),
  );
  await other.close();
  const actual = (await following.more())
    .filter(({ type }) => type === 'points.expiring')
    .map(({ member, data }) => `${member} ${data.purseId} ${data.expiresOn}`);
  expect(actual.length).toBeGreaterThanOrEqual(5);
  expect(new Set(actual).size).toBe(actual.length);
  expect(counts.reduce((sum, { expiring }) => sum + expiring, 0)).toBe(actual.length);
  expect(await tell()).toEqual([]);
});
