import fc from 'fast-check';
import { cohortMonths } from '#insights/forecasts/breakage/loadHistory';
import { redemptionCurve, unredeemedShare } from '#insights/forecasts/breakage/redemptionCurve';
import { scaled } from '../../support/scale';

/** Points of one award: its month, those redeemed by month, and the month in which the rest expired. */
interface Award {
  start: number;
  points: number;
  used: Map<number, number>;
  ends: number;
}

/** A repeatable source of random numbers (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Awards of `months` months that live for `life` months; each point is redeemed in a month with the chance of its age. */
function awardsOf(
  seed: number,
  { months, life, chance }: { months: number; life: number; chance(age: number): number },
) {
  const random = randomFrom(seed);
  return Array.from({ length: months * 200 }, (_, n): Award => {
    const [start, points] = [Math.floor(n / 200), 50 + Math.floor(random() * 100)];
    const used = new Map<number, number>();
    let left = points;
    for (let age = 0; age < life; age += 1) {
      let taken = 0;
      for (let point = 0; point < left; point += 1) taken += random() < chance(age) ? 1 : 0;
      used.set(start + age, taken);
      left -= taken;
    }
    return { start, points, used, ends: start + life };
  });
}

const leftAt = ({ points, used }: Award, month: number) =>
  points - [...used].filter(([at]) => at < month).reduce((sum, [, taken]) => sum + taken, 0);

/** The rows that the store would have at the beginning of a month. */
function seenAt(awards: readonly Award[], now: number) {
  const known = awards.filter(({ start }) => start < now);
  return {
    awarded: known.map((award) => {
      const hasEnded = award.ends < now;
      return {
        start: award.start,
        points: award.points,
        ended: hasEnded ? award.ends : null,
        expired: hasEnded ? leftAt(award, award.ends) : 0,
      };
    }),
    redeemed: known.flatMap(({ start, used }) =>
      [...used].filter(([month]) => month < now).map(([month, points]) => ({ start, month, points })),
    ),
  };
}

describe('breakage', () => {
  it.each([
    ['points are used at once or not at all', (age: number) => (age < 2 ? 0.2 : 0.01)],
    ['points are used evenly', () => 0.06],
    ['points are used shortly before they expire', (age: number) => (age > 9 ? 0.25 : 0.02)],
    ['nobody uses points', () => 0],
  ])('is forecast within 4 % of the outcome of twelve held-out months when %s', (_, chance) => {
    const [now, life] = [24, 12];
    const awards = awardsOf(771, { months: now, life, chance });
    const { awarded, redeemed } = seenAt(awards, now);
    const curve = redemptionCurve(cohortMonths(awarded, redeemed, now));
    const live = awards.filter(({ ends }) => ends > now);
    const expected = live.reduce(
      (sum, award) =>
        sum + leftAt(award, now) * (curve ? unredeemedShare(curve, now - award.start, award.ends - award.start) : 0),
      0,
    );
    const actual = live.reduce((sum, award) => sum + leftAt(award, award.ends), 0);
    expect(Math.abs(expected - actual)).toBeLessThanOrEqual(0.04 * Math.max(1, actual));
  });

  it('has no curve without points that could be redeemed', () => {
    expect(redemptionCurve([])).toBeUndefined();
    expect(redemptionCurve([{ age: 0, atRisk: 0, redeemed: 0 }])).toBeUndefined();
  });

  it('is a share that falls with time, and that of two spans is their product', () => {
    const month = fc.record({ age: fc.nat(20), atRisk: fc.nat(1000), redeemed: fc.integer({ min: -50, max: 1000 }) });
    const ages = fc.float({ min: 0, max: 40, noNaN: true });
    fc.assert(
      fc.property(fc.array(month, { minLength: 1 }), ages, ages, ages, (history, ...three) => {
        const curve = redemptionCurve(history);
        if (!curve) return;
        const [a = 0, b = 0, c = 0] = three.sort((x, y) => x - y);
        const [first, second, both] = [
          unredeemedShare(curve, a, b),
          unredeemedShare(curve, b, c),
          unredeemedShare(curve, a, c),
        ];
        for (const share of [first, second, both]) expect(share).toBeGreaterThanOrEqual(0);
        expect(both).toBeLessThanOrEqual(first + 1e-12);
        expect(both).toBeCloseTo(first * second, 8);
      }),
      { numRuns: scaled(300) },
    );
  });
});
