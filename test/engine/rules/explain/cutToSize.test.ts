import { cutToSize } from '#engine/rules/explain/cutToSize';

const text = 'x'.repeat(1000);
const entries = Array.from({ length: 2000 }, (_, n) => ({
  n,
  text,
  fired: n % 100 === 0,
  reason: n % 2 === 0 ? ('conditionFailed' as const) : ('notEffective' as const),
}));

test('a cut explanation has all rules that fired and those that lack least, in their order', () => {
  const { shown, omitted } = cutToSize(entries, ({ n }) => -n);
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(90_000);
  expect(shown.length + omitted).toBe(2000);
  expect(shown.filter(({ fired }) => fired)).toHaveLength(20);
  expect(shown.map(({ n }) => n)).toEqual(shown.map(({ n }) => n).sort((a, b) => a - b));
  expect(shown.filter(({ fired, reason }) => !fired && reason === 'notEffective')).toEqual([]);
  const lacking = shown.filter(({ fired }) => !fired).map(({ n }) => n);
  expect(Math.min(...lacking)).toBeGreaterThan(1800);
});

test('an explanation that fits is not cut', () => {
  expect(cutToSize(entries.slice(0, 50))).toEqual({ shown: entries.slice(0, 50), omitted: 0 });
});
