import { SimulatedDays } from '#engine/rules/simulate/simulatedDays';

const dayMs = 86_400_000;
const start = Date.parse('2024-01-01T12:00:00.000Z');

type Added = Parameters<SimulatedDays['add']>[0];

/** Adds an activity of a moment with 1 point before and 3 after. */
function add(days: SimulatedDays, at: number | string, timezone = 'UTC') {
  days.add({ activity: { date: new Date(at) }, program: { timezone } } as Added, { before: 1, after: 3 });
}

test('points add up by the day in the zone of the program, including days without points', () => {
  const days = new SimulatedDays();
  add(days, '2026-03-03T01:00:00.000Z', 'America/New_York');
  add(days, '2026-03-02T12:00:00.000Z', 'America/New_York');
  add(days, '2026-03-04T12:00:00.000Z');
  expect(days.rows()).toEqual({
    unit: 'day',
    periods: [
      { from: '2026-03-02', before: 2, after: 6, difference: 4 },
      { from: '2026-03-03', before: 0, after: 0, difference: 0 },
      { from: '2026-03-04', before: 1, after: 3, difference: 2 },
    ],
  });
});

test.each([
  [400, 1, 'day', 400],
  [401, 1, 'week', 59],
  [2, 500, 'week', 73],
  [1000, 5, 'month', 165],
  [1000, 20, 'year', 55],
])('%i activities, %i days apart, are by %s in %i rows', (count, apart, unit, rows) => {
  const days = new SimulatedDays();
  // The last comes first: the order of processing is not that of the dates.
  for (let at = count - 1; at >= 0; at -= 1) add(days, start + at * apart * dayMs);
  const { unit: found, periods } = days.rows();
  expect([found, periods.length]).toEqual([unit, rows]);
  // Nothing is lost where days become weeks or months.
  expect(periods.reduce((sum, { before }) => sum + before, 0)).toBe(count);
  expect(periods.reduce((sum, { difference }) => sum + difference, 0)).toBe(2 * count);
  expect(periods.map(({ from }) => from)).toEqual([...periods.map(({ from }) => from)].sort());
});

test('a simulation without activities has no days', () => {
  expect(new SimulatedDays().rows()).toEqual({ unit: 'day', periods: [] });
});
