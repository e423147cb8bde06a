import fc from 'fast-check';
import { boundedLabel, otherValue } from '#base/metrics/boundedLabel';

test('a label shows at most the limit of values and `other`, and each value always alike', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2 })), fc.integer({ min: 1, max: 5 }), (values, most) => {
      const bounded = boundedLabel(most);
      const shown = new Map(values.map((value) => [value, bounded(value)]));
      const own = [...shown].filter(([value, label]) => value === label).map(([value]) => value);
      expect(own.filter((value) => value !== otherValue).length).toBeLessThanOrEqual(most);
      for (const [value, label] of shown) expect([value, otherValue]).toContain(label);
      for (const value of values) expect(bounded(value)).toBe(shown.get(value));
      expect(own.slice(0, most)).toEqual([...new Set(values)].slice(0, most).filter((value) => own.includes(value)));
    }),
  );
});
