import fc from 'fast-check';
import { countedWindow, mostUsed, type WindowUse, withUse } from '#engine/rules/format/windowUses';

const hourMs = 3_600_000;
const timezone = 'America/New_York';
const at = (text: string) => new Date(text);

describe('a window', () => {
  const uses =
    (...texts: string[]) =>
    (window: Parameters<typeof countedWindow>[0], enrolledAt?: Date) =>
      texts.reduce<WindowUse[]>(
        (known, text) => withUse(known, countedWindow(window, { date: at(text), timezone, enrolledAt }).at, 1),
        [],
      );
  const used = (window: Parameters<typeof countedWindow>[0], before: string[], date: string, enrolledAt?: Date) =>
    mostUsed(countedWindow(window, { date: at(date), timezone, enrolledAt }), uses(...before)(window, enrolledAt));

  it.each<[string, string, string, number]>([
    ['a millisecond less than 72 hours later', '2026-03-04T12:00:00.000Z', '2026-03-07T11:59:59.999Z', 1],
    ['exactly 72 hours later', '2026-03-04T12:00:00.000Z', '2026-03-07T12:00:00.000Z', 0],
    ['at the same instant', '2026-03-04T12:00:00.000Z', '2026-03-04T12:00:00.000Z', 1],
    ['for one that comes late, 71 hours before', '2026-03-04T12:00:00.000Z', '2026-03-01T13:00:00.000Z', 1],
    ['for one that comes late, 72 hours before', '2026-03-04T12:00:00.000Z', '2026-03-01T12:00:00.000Z', 0],
    ['over a change of the clocks', '2026-03-07T12:00:00.000Z', '2026-03-10T11:59:59.999Z', 1],
  ])('of 72 hours counts %s', (_, before, date, expected) => {
    expect(used({ last: 72, unit: 'hour' }, [before], date)).toBe(expected);
  });

  it.each<[number, 'day' | 'week' | 'month', string, string, number]>([
    [7, 'day', '2026-03-04T12:00:00Z', '2026-03-11T03:59:59Z', 1],
    [7, 'day', '2026-03-04T12:00:00Z', '2026-03-11T04:00:00Z', 0],
    [1, 'week', '2026-03-04T12:00:00Z', '2026-03-11T03:59:59Z', 1],
    [1, 'month', '2026-02-15T12:00:00Z', '2026-03-15T03:59:59Z', 1],
    [1, 'month', '2026-02-15T12:00:00Z', '2026-03-15T04:00:00Z', 0],
  ])('of %d %s: the use of %s counts on %s as %d', (last, unit, before, date, expected) => {
    expect(used({ last, unit }, [before], date)).toBe(expected);
  });

  it.each([
    ['2026-03-09T12:00:00Z', '2026-03-10T12:00:00Z', 0],
    ['2026-03-10T12:00:00Z', '2027-03-09T12:00:00Z', 1],
    ['2027-03-09T12:00:00Z', '2026-03-10T12:00:00Z', 1],
    ['2027-03-10T12:00:00Z', '2027-03-09T12:00:00Z', 0],
  ])('of the own year: the use of %s counts on %s as %d', (before, date, expected) => {
    expect(used({ year: 'enrolment' }, [before], date, at('2020-03-10T12:00:00Z'))).toBe(expected);
  });
});

it('a window is never exceeded whatever the order of the activities, and agrees with a count day by day', () => {
  const window = { last: 5, unit: 'hour' } as const;
  const hours = fc.array(fc.record({ hour: fc.nat(30), amount: fc.integer({ min: 1, max: 5 }) }), { maxLength: 20 });
  fc.assert(
    fc.property(hours, (posted) => {
      const max = 7;
      const granted: { hour: number; amount: number }[] = [];
      let uses: WindowUse[] = [];
      for (const { hour, amount } of posted) {
        const counted = countedWindow(window, { date: new Date(hour * hourMs), timezone: 'UTC' });
        const left = max - mostUsed(counted, uses);
        // By brute force: the fullest of all windows of five hours with this hour.
        const sums = [0, 1, 2, 3, 4].map((later) =>
          granted
            .filter((each) => each.hour <= hour + later && each.hour > hour + later - 5)
            .reduce((sum, each) => sum + each.amount, 0),
        );
        expect(left).toBe(max - Math.max(...sums));
        if (amount > left) continue;
        granted.push({ hour, amount });
        uses = withUse(uses, counted.at, amount);
      }
    }),
  );
});

it('the use is that of the fullest window that contains the activity, whatever entries were joined', () => {
  const part = fc.record({ gap: fc.nat(4), length: fc.nat(3), amount: fc.constantFrom(1, 2, 0.1) });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.nat(40), fc.integer({ min: 1, max: 9 }), (parts, here, long) => {
      let end = 0;
      const uses = parts.map(({ gap, length, amount }): WindowUse => {
        const from = end + gap;
        end = from + length + 1;
        return { at: from, amount, ...(length > 0 && { till: from + length }) };
      });
      const first = (place: number) => place - long + 1;
      const ends = uses
        .flatMap(({ at: from, till = from }) => [from, till])
        .filter((each) => each > here && first(each) <= here);
      const sums = [here, ...ends].map((each) =>
        uses.reduce(
          (sum, { at: from, till = from, amount }) => (from <= each && till >= first(each) ? sum + 10 * amount : sum),
          0,
        ),
      );
      expect(10 * mostUsed({ at: here, first, last: (place) => place, length: long }, uses)).toBeCloseTo(
        Math.max(...sums),
      );
    }),
  );
});

it('a use that was added can be taken back wherever it is', () => {
  const change = fc.record({ place: fc.nat(50), amount: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const after = changes.reduce<WindowUse[]>((uses, { place, amount }) => withUse(uses, place, amount), []);
      const back = changes.reduce<WindowUse[]>((uses, { place, amount }) => withUse(uses, place, -amount), after);
      expect(back).toEqual([]);
    }),
  );
});

it('at most 1,000 entries are kept, which only makes a limit stricter', () => {
  let uses: WindowUse[] = [];
  for (let place = 0; place < 3000; place += 1) uses = withUse(uses, place * 1000, 1);
  expect(uses).toHaveLength(1000);
  expect(uses.reduce((sum, { amount }) => sum + amount, 0)).toBe(3000);
  const counted = countedWindow({ last: 1, unit: 'hour' }, { date: new Date(2_999_000), timezone: 'UTC' });
  expect(mostUsed(counted, uses)).toBe(3000);
  for (let place = 0; place < 3000; place += 1) uses = withUse(uses, place * 1000, -1);
  expect(uses).toEqual([]);
});

it('uses with decimals add up exactly', () => {
  expect(withUse(withUse([], 1, 0.1), 1, 0.2)).toEqual([{ at: 1, amount: 0.3 }]);
});

it.each<[string, number, WindowUse]>([
  ['the first two', 1, { at: 0, till: 1, amount: 2 }],
  ['one and the next', 500_001, { at: 500_000, till: 500_001, amount: 2 }],
  ['one and the one before', 700_999, { at: 700_999, till: 701_000, amount: 2 }],
  ['the last two', 999_001, { at: 999_000, till: 999_001, amount: 2 }],
])('beyond 1,000 entries, the two with the least time between them are joined: %s', (_case, place, both) => {
  const full = Array.from({ length: 1000 }, (_, n): WindowUse => ({ at: n * 1000, amount: 1 }));
  const others = full.filter((use) => use.at < both.at || use.at > Number(both.till));
  expect(withUse(full, place, 1)).toEqual([...others, both].sort((a, b) => a.at - b.at));
});

it('beyond 1,000 entries, one that was joined counts with all of its time', () => {
  const full = Array.from({ length: 1000 }, (_, n): WindowUse => ({ at: n * 1000, amount: 1 }));
  full[500] = { at: 500_000, till: 500_900, amount: 2 };
  const both = { at: 499_000, till: 499_600, amount: 2 };
  expect(withUse(full, 499_600, 1)).toEqual(full.map((use, n) => (n === 499 ? both : use)));
});
