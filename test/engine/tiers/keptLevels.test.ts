import { ObjectId } from 'bson';
import fc from 'fast-check';
import { dayOn } from '#base/calendar/localCalendar';
import { bestClaim } from '#engine/tiers/claims';
import { countForChallenges, grantLevel, keepLevels } from '#engine/tiers/grants';
import { climb, emptyLadder } from '#engine/tiers/ladder';
import { lapse } from '#engine/tiers/lapse';
import type { LadderInput } from '#engine/tiers/levels';
import { mergeTiers } from '#engine/tiers/memberTiers';
import { levelOutlook } from '#engine/tiers/outlook';
import type { Ladder } from '#records/members/memberTier';
import { scaled } from '../../support/scale';

const dayMs = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00.000Z');
const dayAt = (day: number) => new Date(start + day * dayMs);
const levels = ['Bronze', 'Silver', 'Gold'].map((name, number) => ({ name, number, threshold: (number + 1) * 1000 }));
const names = levels.map(({ name, number }) => ({ name, number }));

type Expiry = LadderInput['policy']['expiry'];
const policyOf = (
  expiry: Expiry,
  downgrade: 'one' | 'full' | 'none' = 'full',
  graceDays = 0,
): LadderInput['policy'] => ({
  _id: new ObjectId('0123456789abcdef01234567'),
  levels,
  basis: { metric: 'trips', period: 'year' },
  downgrade,
  ...(expiry ? { expiry } : {}),
  ...(graceDays > 0 ? { grace: { value: graceDays, unit: 'day' } } : {}),
});
const month: Expiry = { value: 1, unit: 'month' };
const at = (policy: LadderInput['policy'], day: number): LadderInput => ({
  policy,
  timezone: 'UTC',
  now: dayAt(day),
  enrolledAt: dayAt(0),
});

/** Gives a level with a challenge of 100 spent, on the day 1 for some days. */
function granted(ladder: Ladder, number: number, days: number, policy: LadderInput['policy']): Ladder {
  const level = names[number] ?? { name: '', number };
  const keep = { metric: 'spend', atLeast: 100, counted: 0, from: '2026-01-02' };
  return grantLevel(ladder, { level, expiresOn: dayAt(1 + days), keep }, at(policy, 1));
}

function spent(ladder: Ladder, value: number, day: number, policy: LadderInput['policy']): Ladder {
  const date = dayAt(day);
  const entry = { metric: 'spend', value, at: date, day: dayOn(2026, 1, 1 + day) };
  return keepLevels(countForChallenges(ladder, [entry as never]), at(policy, day));
}

/** The level and its end that a member has on a day, with timers that come every day. */
function levelsOn(ladder: Ladder, from: number, day: number, policy: LadderInput['policy'], trips: number) {
  let now = ladder;
  for (let each = from; each <= day; each += 1) {
    if (now.due && now.due <= dayAt(each)) now = lapse(now, () => trips, at(policy, each));
  }
  return bestClaim(now);
}

const isWorse = (one: ReturnType<typeof bestClaim>, than: ReturnType<typeof bestClaim>) => {
  const [a, b] = [one?.level.number ?? -1, than?.level.number ?? -1];
  const endOf = (claim: ReturnType<typeof bestClaim>) => claim?.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY;
  return a < b || (a === b && a >= 0 && endOf(one) < endOf(than));
};

describe('a member who meets a challenge', () => {
  it('keeps the later end of the grant and the term', () => {
    const policy = policyOf(month);
    const year = granted(emptyLadder({ policy }), 2, 365, policy);
    expect(bestClaim(spent(year, 99, 5, policy))?.expiresOn).toEqual(dayAt(366));
    expect(bestClaim(spent(year, 100, 5, policy))?.expiresOn).toEqual(dayAt(366));
    const week = granted(emptyLadder({ policy }), 2, 7, policy);
    expect(bestClaim(spent(week, 100, 5, policy))?.expiresOn).toEqual(new Date('2026-02-06T00:00:00.000Z'));
    expect(bestClaim(spent(week, 100, 5, policyOf(undefined)))?.expiresOn).toBeUndefined();
  });

  it('gets the term too when the metric gave the level before', () => {
    const policy = policyOf(month);
    const gold = climb(emptyLadder({ policy }), 3000, at(policy, 0));
    const week = granted(gold, 2, 7, policy);
    expect(bestClaim(week)?.expiresOn).toEqual(new Date('2026-02-01T00:00:00.000Z'));
    expect(bestClaim(spent(week, 100, 5, policy))?.expiresOn).toEqual(new Date('2026-02-06T00:00:00.000Z'));
  });

  it('is not asked to spend more when that would not extend the level', () => {
    const policy = policyOf(month);
    const year = granted(emptyLadder({ policy }), 2, 365, policy);
    const week = granted(emptyLadder({ policy }), 2, 7, policy);
    expect(levelOutlook(year, () => 0, at(policy, 5))).toEqual({ outlook: 'ends' });
    expect(levelOutlook(week, () => 0, at(policy, 5))).toMatchObject({ outlook: 'needs', keep: { missing: 100 } });
  });

  it('never has an earlier end or a lower level than a member who misses it', () => {
    fc.assert(
      fc.property(
        fc.record({
          expiry: fc.constantFrom<Expiry>(undefined, month, { value: 20, unit: 'day' }, { value: 1, unit: 'year' }),
          downgrade: fc.constantFrom('one' as const, 'full' as const, 'none' as const),
          grace: fc.constantFrom(0, 15),
          climbed: fc.constantFrom(0, 1000, 2000, 3000),
          climbsOn: fc.constantFrom(0, 3, 20),
          given: fc.array(fc.record({ number: fc.nat(2), days: fc.integer({ min: 2, max: 400 }) }), {
            minLength: 1,
            maxLength: 3,
          }),
          day: fc.integer({ min: 1, max: 30 }),
          isMerged: fc.boolean(),
          look: fc.integer({ min: 31, max: 500 }),
          trips: fc.constantFrom(0, 1000, 2500),
        }),
        ({ expiry, downgrade, grace, climbed, climbsOn, given: input, day, isMerged, look, trips }) => {
          const policy = policyOf(expiry, downgrade, grace);
          const ends = [99, 100].map((value) => {
            let ladder = emptyLadder({ policy });
            if (climbsOn === 0) ladder = climb(ladder, climbed, at(policy, 0));
            for (const { number, days } of input) ladder = granted(ladder, number, days, policy);
            const settled =
              ladder.due && ladder.due <= dayAt(day) ? lapse(ladder, () => trips, at(policy, day)) : ladder;
            ladder = spent(settled, value, day, policy);
            if (isMerged) {
              const own = { ladders: [], changes: [] };
              const [merged] = mergeTiers(
                own,
                [{ ladders: [ladder], changes: [] }],
                [{ ...policy, name: 'Status' }],
              ).ladders;
              ladder = lapse(merged ?? ladder, () => trips, at(policy, day));
            }
            return { now: bestClaim(ladder), later: levelsOn(ladder, day, look, policy, trips) };
          });
          const [missed, met] = ends;
          // Terms that follow one another begin on other days, so of later days only the levels can be compared.
          const isLower = (met?.later?.level.number ?? -1) < (missed?.later?.level.number ?? -1);
          if (isLower || isWorse(met?.now, missed?.now)) throw new Error(JSON.stringify(ends));
        },
      ),
      { numRuns: scaled(2000) },
    );
  });
});
