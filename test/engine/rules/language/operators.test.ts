import fc from 'fast-check';
import { Engine } from 'json-rules-engine';
import { operators } from '#engine/rules/language/operators';
import { scaled } from '../../../support/scale';

const context = { dateMs: Date.parse('2026-03-11T12:00:00Z'), listed: () => undefined };
const compare = (name: string, fact: unknown, value: unknown) => operators[name]?.compare(fact, value, context);

describe('operators', () => {
  const day = new Date('2026-03-11T00:00:00Z');
  it.each<[string, unknown, unknown, boolean]>([
    ['equal', day, '2026-03-11T00:00:00Z', true],
    ['equal', day, new Date(day), true],
    ['equal', day, '2026-03-11T01:00:00+01:00', true],
    ['notEqual', day, '2026-03-11T00:00:01Z', true],
    ['in', day, ['2026-03-11T00:00:00.000Z'], true],
    ['notIn', day, ['2026-03-11T00:00:00.000Z'], false],
    ['contains', [day], '2026-03-11T00:00:00Z', true],
    ['greaterThan', day, '2026-03-10T00:00:00Z', true],
    ['lessThanInclusive', day, '2026-03-11', true],
    ['lessThan', undefined, 5, false],
    ['before', day, '2026-03-11T00:00:01Z', true],
    ['before', day, day, false],
    ['after', '2026-03-12', day, true],
    ['after', undefined, day, false],
    ['between', 5, [5, 6], true],
    ['between', 7, [5, 6], false],
    ['between', day, ['2026-03-11', '2026-03-12'], true],
    ['between', undefined, [1, 2], false],
    ['withinDays', '2026-03-10T12:00:00Z', 1, true],
    ['withinDays', '2026-03-12T12:00:00Z', 1, true],
    ['withinDays', '2026-03-12T12:00:01Z', 1, false],
    ['withinDays', undefined, 1, false],
    ['withinDays', '2026-03-10T12:00:00Z', { days: 1, direction: 'past' }, true],
    ['withinDays', '2026-03-10T11:59:59Z', { days: 1, direction: 'past' }, false],
    ['withinDays', '2026-03-11T12:00:00Z', { days: 1, direction: 'past' }, true],
    ['withinDays', '2026-03-11T12:00:01Z', { days: 1, direction: 'past' }, false],
    ['withinDays', '2026-03-11T12:00:00Z', { days: 1, direction: 'future' }, true],
    ['withinDays', '2026-03-12T12:00:00Z', { days: 1, direction: 'future' }, true],
    ['withinDays', '2026-03-11T11:59:59Z', { days: 1, direction: 'future' }, false],
    ['withinDays', '2026-03-10T12:00:00Z', { days: 1, direction: 'both' }, true],
    ['withinDays', '2026-03-10T12:00:00Z', { days: 1 }, true],
    ['withinDays', undefined, { days: 1, direction: 'past' }, false],
    ['withinDays', '2026-03-11T12:00:00Z', { direction: 'past' }, false],
    ['withinDays', '2026-03-11T12:00:00Z', { days: 1, direction: 'sideways' }, false],
    ['withinDays', '2026-03-11T12:00:00Z', { days: 1, direction: 'past', hours: 1 }, false],
    ['withinDays', '2026-03-11T12:00:00Z', [1], false],
    ['withinDays', '2026-03-11T12:00:00Z', null, false],
    ['startsWith', 'SKU-1', 'SKU-', true],
    ['startsWith', 5, '5', false],
    ['matches', 'SKU-17', '^SKU-\\d+$', true],
    ['matches', 'xSKU-17', '^SKU-\\d+$', false],
    ['matches', 'a17b', '\\d', true],
    ['matches', undefined, '.*', false],
    ['isEmpty', undefined, true, true],
    ['isEmpty', '', true, true],
    ['isEmpty', [], true, true],
    ['isEmpty', {}, true, true],
    ['isEmpty', 0, true, false],
    ['isEmpty', day, false, true],
  ])('%s %p %p: %s', (name, fact, value, expected) => {
    expect(compare(name, fact, value)).toBe(expected);
  });

  it('match hostile regular expressions in time', () => {
    expect(compare('matches', `${'a'.repeat(50_000)}!`, '^(a+)+$')).toBe(false);
  });

  it('behave like those of json-rules-engine for everything but dates, also when these throw', () => {
    const builtIn: Map<string, { evaluate(fact: unknown, value: unknown): boolean }> = Reflect.get(
      Reflect.get(new Engine(), 'operators'),
      'operators',
    );
    const value = fc.oneof(
      fc.constantFrom<unknown>(undefined, null, '', 'a', '1', 1, 0, -1, 1.5, true, false, Number.NaN, '1x'),
      fc.array(fc.constantFrom<unknown>('a', 1, null, true), { maxLength: 3 }),
    );
    const attempt = (run: () => unknown) => {
      try {
        return run();
      } catch {
        return 'throws';
      }
    };
    expect(builtIn.size).toBe(10);
    fc.assert(
      fc.property(fc.constantFrom(...builtIn.keys()), value, value, (name, fact, other) => {
        const expected = attempt(() => builtIn.get(name)?.evaluate(fact, other));
        expect(attempt(() => compare(name, fact, other))).toBe(expected);
      }),
      { numRuns: scaled(3000) },
    );
  });
});
