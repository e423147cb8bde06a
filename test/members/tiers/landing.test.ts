import { numbers } from '../../support/numbers';
import { scaled, seedsOf } from '../../support/scale';
import { earnRule } from '../../support/world';
import { occasionsIn } from '../occasions/occasionWorld';
import { type Landing, LandingOracle, ladder } from './landingOracle';
import { tierWorlds } from './tierWorld';

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

const gives = (type: string, points: number) => ({
  key: `on-${type}`,
  name: type,
  activityTypes: [type],
  actions: [{ type: 'addPoints', purse: 'Points', points }],
});
/** The balance tells how much was spent, and how often a level was reached and lost. */
const rules = [earnRule, gives('TierReached', 1_000_000_000), gives('TierLost', 1_000_000)];

const hour = 3_600_000;
const policies: [string, Landing][] = [
  ['one level down, at once', { downgrade: 'one', termDays: 25, graceDays: 0 }],
  ['one level down, after a grace', { downgrade: 'one', termDays: 20, graceDays: 6 }],
  ['to what is reached, after a grace', { downgrade: 'full', termDays: 20, graceDays: 6 }],
  ['never down', { downgrade: 'none', termDays: 9, graceDays: 0 }],
];

describe.each(policies)('a policy that goes %s', (_name, policy) => {
  test.each(seedsOf(3))(
    'gives each day the level of the design page, and its occasions once (seed %i)',
    async (seed) => {
      const next = numbers(seed);
      const { downgrade, termDays, graceDays } = policy;
      await at.open(
        {
          levels: ladder.map((level, index) => ({ ...level, number: index + 1 })),
          basis: { metric: 'spend', period: 'month' },
          downgrade,
          expiry: { value: termDays, unit: 'day' },
          ...(graceDays > 0 ? { grace: { value: graceDays, unit: 'day' } } : {}),
        },
        rules,
      );
      const { clock } = at.world.services;
      const acting = occasionsIn(at.world);
      const member = await at.world.addMember();
      const oracle = new LandingOracle(policy);
      let spent = 0;
      for (let day = 0; day < scaled(110); day += 1) {
        // Timers are late by hours, and sometimes, as after a long downtime, by months.
        clock.advance(next(40) === 0 ? (40 + next(60)) * 24 * hour : (16 + next(16)) * hour);
        const now = clock.now().getTime();
        const isBusy = day % 40 < 25;
        if (isBusy && next(3) === 0) {
          const value = [20, 90, 250, 700][next(4)] ?? 0;
          spent += value;
          oracle.spend(value, now);
          await at.tiered.post(member, value);
        } else if (next(4) === 0) {
          oracle.settle(now);
          await at.tiered.runTimer();
        } else continue;
        expect([day, await shown(member)]).toEqual([day, oracle.tier]);
      }
      oracle.settle(clock.now().getTime());
      await at.tiered.runTimer();
      expect(await at.tiered.whys(member._id)).toEqual(oracle.changes);
      await acting.drain();
      const moved = oracle.changes.filter(([why]) => why !== 'renewed');
      const actual = (await acting.occasions(member._id)).map(({ type, occasion }) => [
        type,
        occasion?.why,
        occasion?.from,
        occasion?.level,
      ]);
      const typeOf = (why: string) => (why === 'reached' ? 'TierReached' : 'TierLost');
      expect(actual.sort()).toEqual(moved.map(([why, from, to]) => [typeOf(why), why, from, to]).sort());
      const reached = moved.filter(([why]) => why === 'reached').length;
      const balance = spent + reached * 1_000_000_000 + (moved.length - reached) * 1_000_000;
      expect(await acting.balance(member._id)).toBe(balance);
      expect(reached).toBeGreaterThan(0);
      expect(await at.tiered.mismatches()).toEqual([]);
    },
  );
});

/** The stored tier of a member, as an answer shows it. */
async function shown({ _id }: Awaited<ReturnType<typeof at.world.addMember>>) {
  const [tier] = (await at.tiered.stored(_id))?.tiers ?? [];
  if (!tier) return undefined;
  const { level, since, expiresOn } = tier;
  return { level: level.name, since: since.toISOString(), expiresOn: expiresOn?.toISOString() };
}
