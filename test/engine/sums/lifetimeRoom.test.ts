import { fc, test as property } from '@fast-check/jest';
import { ObjectId } from 'bson';
import { dayOn } from '#base/calendar/localCalendar';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import { addToLifetime, mergeTurnovers, withinExactSums } from '#engine/sums/lifetime';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import { scaled } from '../../support/scale';

const max = Number.MAX_SAFE_INTEGER;
const member = new ObjectId();
const now = new Date('2026-05-01T00:00:00Z');
const entry = (value: number, more: Partial<MetricEntry> = {}): MetricEntry => ({
  member,
  metric: 'spend',
  value,
  day: dayOn(2026, 5, 1),
  ...more,
});

/** Adds entries as commits do; undefined when they are refused. */
function counting() {
  let current: Parameters<typeof withinExactSums>[0] = { aggregates: [], turnovers: [] };
  return {
    held: () => current,
    add(...entries: MetricEntry[]): MetricEntry[] | undefined {
      try {
        const fit = withinExactSums(current, entries);
        current = { aggregates: addToLifetime(current.aggregates, fit.entries, now, member), turnovers: fit.turnovers };
        return fit.entries;
      } catch (error) {
        if (error instanceof PointsOverflow) return undefined;
        throw error;
      }
    },
  };
}

test('a metric that only grows is refused beyond 2^53 - 1, and has room again once something is given back', () => {
  const { add, held: current } = counting();
  expect(add(entry(max))).toBeDefined();
  expect(add(entry(1))).toBeUndefined();
  expect(add(entry(-10, { isReturn: true }))).toBeDefined();
  expect(current().aggregates).toMatchObject([{ metricAggValue: max - 10 }]);
  expect(add(entry(11))).toBeUndefined();
  expect(add(entry(10))).toBeDefined();
  expect(current().turnovers).toEqual([]);
});

test('expired points, which a timer cannot refuse, are cut to what is left', () => {
  const { add } = counting();
  add(entry(max - 3, { metric: 'pointsExpired' }));
  expect(add(entry(5, { metric: 'pointsExpired' }))).toMatchObject([{ value: 3 }]);
});

test('a metric that goes up and down, or ends, is refused by its turnover', () => {
  const falling = counting();
  expect(falling.add(entry(2 ** 51), entry(-(2 ** 51)))).toBeDefined();
  expect(falling.add(entry(1))).toBeUndefined();
  const ending = counting();
  expect(ending.add(entry(2 ** 52, { expirationDate: now }))).toBeDefined();
  expect(ending.add(entry(1, { expirationDate: new Date(now.getTime() + 1) }))).toBeUndefined();
});

test('members whose sums are too large together are not merged', () => {
  const [one, other] = [counting(), counting()];
  one.add(entry(max - 1));
  other.add(entry(1), entry(-7, { metric: 'steps' }));
  expect(mergeTurnovers([one.held(), other.held()])).toEqual([{ metric: 'steps', value: 7 }]);
  other.add(entry(1));
  expect(() => mergeTurnovers([one.held(), other.held()])).toThrow(PointsOverflow);
});

const value = fc.oneof(
  fc.constantFrom(max, max - 1, 2 ** 52, 2 ** 52 - 1, 2 ** 51 + 1, 1),
  fc.integer({ min: 1, max: 9 }),
);
const operation = fc.oneof(
  fc.record({ value, sign: fc.constantFrom(1, 1, -1), day: fc.integer({ min: 1, max: 3 }), ends: fc.boolean() }),
  fc.record({ undo: fc.nat(20) }),
);

property.prop([fc.array(operation, { maxLength: 40 }), fc.boolean()], { numRuns: scaled(60) })(
  'every sum of days and every change of it is exact, whatever is counted and given back',
  (operations, onlyGrows) => {
    const { add, held: current } = counting();
    const done: MetricEntry[] = [];
    const states: bigint[][] = [];
    for (const each of operations) {
      if ('undo' in each) {
        const [taken] = done.splice(each.undo, 1);
        if (taken) expect(add({ ...taken, value: -taken.value, isReturn: true })).toBeDefined();
      } else {
        const ends = each.ends && !onlyGrows ? { expirationDate: now } : {};
        const input = entry(onlyGrows ? each.value : each.sign * each.value, {
          day: dayOn(2026, 5, each.day),
          ...ends,
        });
        if (add(input)) done.push(input);
      }
      states.push(sumsOfDays(done));
    }
    for (const later of states) {
      for (const earlier of states) {
        later.forEach((sum, index) => {
          expect(Number.isSafeInteger(Number(sum))).toBe(true);
          const before = earlier[index] ?? 0n;
          // After a metric grew beyond 2^52, was returned and fell below 0, nothing stores how high it was.
          if (isBeyondMemory(sum, before) || isBeyondMemory(before, sum)) return;
          expect(Math.abs(Number(sum - before))).toBeLessThanOrEqual(2 ** 53);
        });
      }
    }
    // After everything is returned, the values are as before the first entry.
    for (const each of done) add({ ...each, value: -each.value, isReturn: true });
    expect(current().aggregates.every(({ metricAggValue }) => metricAggValue === 0)).toBe(true);
    expect(add(entry(2 ** 52))).toBeDefined();
  },
);

const isBeyondMemory = (high: bigint, low: bigint) => high > 2n ** 52n && low < 0n;

/** The exact sum of each set of days, computed with BigInt. */
function sumsOfDays(entries: readonly MetricEntry[]): bigint[] {
  return Array.from({ length: 8 }, (_, set) =>
    entries
      .filter(({ day }) => (set >> (day.getUTCDate() - 1)) % 2 === 1)
      .reduce((sum, each) => sum + BigInt(each.value), 0n),
  );
}
