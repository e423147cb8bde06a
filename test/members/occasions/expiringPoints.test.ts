import { postDueOccasions } from '#activities/dueOccasions/postDueOccasions';
import { sweepDue } from '#members/memberState/sweepDue';
import type { Member } from '#records/members/member';
import { numbers } from '../../support/numbers';
import { drawn, scaled, seedsOf } from '../../support/scale';
import { addWorld, openWorld, type World } from '../../support/world';
import { ExpiryOracle, nextHour, type PurseTerms } from './expiryOracle';
import { type Occasions, occasionsIn } from './occasionWorld';

/** The same purses in the words of the oracle and of purse policies. */
const purses: PurseTerms[] = [
  { name: 'Rolling', expiry: { type: 'rolling', days: 9 } },
  { name: 'Monthly', expiry: { type: 'rolling', months: 1, snap: 'endOfMonth' } },
  { name: 'Waiting', escrowDays: 3, expiry: { type: 'rolling', days: 6 } },
  { name: 'Idle', expiry: { type: 'inactivity', days: 5 } },
];
const policies = [
  { name: 'Rolling', primary: true, expiry: { type: 'rolling', value: 9, unit: 'day' } },
  { name: 'Monthly', expiry: { type: 'rolling', value: 1, unit: 'month', snap: 'endOfMonth' } },
  {
    name: 'Waiting',
    escrow: { type: 'duration', value: 3, unit: 'day' },
    expiry: { type: 'rolling', value: 6, unit: 'day' },
  },
  { name: 'Idle', expiry: { type: 'inactivity', value: 5, unit: 'day' } },
  // For the occasions: a point for each that expired, and one more for each that was told.
  { name: 'Told' },
] as const;
const daysBefore = 4;

const forPurse = (purse: string) => ({
  conditions: { all: [{ fact: 'activity', path: '$.srcChannelID', operator: 'equal', value: purse }] },
});
const value = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const tells = (type: string, points: number, more = {}) => ({
  key: `on-${type}`,
  name: type,
  activityTypes: [type],
  ...more,
  actions: [{ type: 'addPoints', purse: 'Told', points }],
});
const rules = [
  ...purses.flatMap(({ name: purse }) => [
    {
      key: `earn-${purse}`,
      name: 'Earn',
      activityTypes: ['Accrual'],
      ...forPurse(purse),
      actions: [{ type: 'addPoints', purse, points: value }],
    },
    {
      key: `burn-${purse}`,
      name: 'Burn',
      activityTypes: ['Redemption'],
      ...forPurse(purse),
      actions: [{ type: 'redeemPoints', purse, points: value }],
    },
  ]),
  tells('PointsExpired', 1),
  tells('PointsExpiring', 1000, { schedule: { daysBefore, at: '09:00' } }),
];

let host: World;
let world: World;
let acting: Occasions;

beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

interface Life {
  member: Member;
  oracle: ExpiryOracle;
  /** What the job has told, as the oracle says. */
  announced: object[];
}

const clock = () => world.services.clock;

async function open(now: string, timezone: string, members: number): Promise<Life[]> {
  world = await addWorld(host, { rules: [], program: { timezone }, policies: [...policies] });
  clock().set(now);
  await world.publish(rules);
  acting = occasionsIn(world);
  const lives: Life[] = [];
  while (lives.length < members) {
    lives.push({ member: await world.addMember(), oracle: new ExpiryOracle(purses, timezone), announced: [] });
  }
  return lives;
}

/** An Accrual or a Redemption at the time of the clock. */
async function act({ member, oracle }: Life, next: (below: number) => number): Promise<void> {
  const at = clock().now().getTime();
  const { name } = purses[next(purses.length)] as PurseTerms;
  const there = oracle.available(name, at);
  const isBurn = there > 0 && next(3) === 0;
  const points = 1 + next(isBurn ? there : 500);
  if (isBurn) oracle.burn(name, points, at);
  else oracle.earn(name, points, at);
  const fields = { value: points, srcChannelID: name };
  await acting.processed(isBurn ? 'Redemption' : 'Accrual', member._id, fields);
}

/** The job at nine o'clock, for which the oracle says what it tells; then what it posted is processed. */
async function runJob(lives: readonly Life[]): Promise<void> {
  const now = clock().now();
  for (const { oracle, announced: actual } of lives) {
    const expiring = oracle.expiringIn(daysBefore, now.getTime());
    actual.push(...expiring.map((each) => ({ type: 'PointsExpiring', date: now.toISOString(), ...each })));
  }
  await postDueOccasions(world.services, { org: world.services.org._id, now });
  await acting.drain();
}

const sweep = () => sweepDue(world.services, { now: clock().now(), org: world.services.org._id });

/** Everything that happened to a member, in one order, as the service has it and as the oracle says. */
async function outcome({ member, oracle, announced: actual }: Life) {
  const histories = await acting.occasions(member._id);
  const shown = histories.map(({ type, date, occasion }) => {
    const { purse, points, on } = occasion ?? {};
    return { type, date: date.toISOString(), purse, points, on };
  });
  const expired = oracle.expired.map(({ at, ...each }) => ({
    type: 'PointsExpired',
    date: new Date(at).toISOString(),
    ...each,
  }));
  return { shown: sorted(shown), expected: sorted([...expired, ...actual]) };
}

function sorted(all: readonly object[]): string[] {
  const names = ['date', 'type', 'purse', 'points', 'on'];
  return all.map((each) => JSON.stringify(each, names)).sort();
}

// The clocks change on 29 March and on 1 November.
const clockChanges = [
  ['Europe/Berlin', '2026-03-14T12:00:00.000Z'],
  ['America/New_York', '2026-10-17T12:00:00.000Z'],
] as const;

describe.each(drawn(clockChanges))('in %s, from %s', (timezone, start) => {
  // A run takes seconds, so each place has one of the seeds.
  const all = seedsOf(11);
  test.each([all[clockChanges.findIndex(([zone]) => zone === timezone)] ?? all[0] ?? 11])(
    'each purse and day is announced once, and each expiry is posted once at its moment (seed %i)',
    async (seed) => {
      const next = numbers(seed);
      const lives = await open(start, timezone, 2);
      const active = scaled(22);
      for (let day = 0; day < active + 66; day += 1) {
        clock().set(new Date(nextHour(clock().now().getTime(), 9, timezone)));
        await runJob(lives);
        if (day >= active) continue;
        for (const life of lives) {
          // Acts between ten and twenty o'clock; the timer runs on some days only, so that commits settle too.
          clock().advance(3_600_000 + next(3_600_000));
          if (next(4) > 0) await act(life, next);
        }
        if (next(2) === 0) await sweep();
      }
      await sweep();
      await acting.drain();
      for (const life of lives) {
        const { shown, expected } = await outcome(life);
        expect(shown).toEqual(expected);
        expect(expected.length).toBeGreaterThan(0);
        const actual = life.announced.length * 1000 + life.oracle.expired.length;
        expect(await acting.balance(life.member._id, 'Told')).toBe(actual);
        for (const { name } of purses) expect(await acting.balance(life.member._id, name)).toBe(0);
      }
      expect(await acting.mismatches()).toEqual([]);
    },
    180_000,
  );
});
