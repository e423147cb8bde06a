import fc from 'fast-check';
import { compileRoot, prioritized } from '#engine/rules/evaluate/compileCondition';
import { FactFrame, factSlots } from '#engine/rules/evaluate/factFrame';
import { listsFact, noLists } from '#engine/rules/evaluate/resolvedLists';
import { conditionReads } from '#engine/rules/evaluate/ruleSet';
import type { Condition } from '#engine/rules/language/condition';
import { refKey } from '#engine/rules/language/factRef';
import { operators } from '#engine/rules/language/operators';
import { canonical } from '#engine/rules/lint/canonical';
import { isUnsatisfiable } from '#engine/rules/lint/unsatisfiable';
import { scaled } from '../../../support/scale';
import { randomCase } from '../differential/randomCase';

type Facts = Readonly<Record<string, unknown>>;

/** Whether conditions hold. Conditions that cannot be evaluated do not hold. */
function holder(condition: Condition): (facts: Facts) => boolean {
  const slots = factSlots(conditionReads(condition), refKey);
  const compiled = compileRoot({ all: [condition] }, slots, { operators, prioritized });
  return (facts) => {
    const read = (name: string) => (name === listsFact ? noLists : facts[name]);
    try {
      return compiled.strict(new FactFrame(slots, read));
    } catch {
      return false;
    }
  };
}

const paths = ['$.value', '$.channel'];
const day = (n: number) => `2026-03-0${n}`;
const words = ['Web', 'We', 'W', 'POS', '', '3', day(2), `${day(2)}T00:00:00Z`, `${day(3)}T00:00:00+02:00`];
const scalar = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom(...words),
  fc.constantFrom<unknown>(null, true, 2.5),
);
/** Values of a fact, even values that no activity has. */
const factValue = fc.oneof(
  { weight: 3, arbitrary: scalar },
  fc.integer({ min: 0, max: 5 }).map(String),
  fc.integer({ min: 1, max: 4 }).map((n) => new Date(Date.UTC(2026, 2, n))),
  fc.array(fc.oneof(scalar, fc.constant([4])), { maxLength: 2 }),
  fc.constantFrom<unknown>(undefined, {}, { a: 1 }, false, 7, -1),
);
const range = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(...words.slice(6)));
const values: Record<string, fc.Arbitrary<unknown>> = {
  in: fc.array(scalar, { maxLength: 3 }),
  notIn: fc.array(scalar, { maxLength: 3 }),
  between: fc.tuple(range, range),
  isEmpty: fc.boolean(),
  startsWith: fc.constantFrom('W', 'We', 'Web', 'P', ''),
  contains: scalar,
  doesNotContain: scalar,
  'someFact:in': fc.array(scalar, { maxLength: 2 }),
  'everyFact:in': fc.array(scalar, { maxLength: 2 }),
  equal: scalar,
  notEqual: scalar,
};
const operator = fc.constantFrom(
  'equal',
  'equal',
  'notEqual',
  'in',
  'notIn',
  'between',
  'isEmpty',
  'startsWith',
  'contains',
  'doesNotContain',
  'greaterThan',
  'greaterThanInclusive',
  'lessThan',
  'lessThanInclusive',
  'before',
  'after',
  'someFact:in',
  'everyFact:in',
);
const leaf = fc
  .tuple(fc.constantFrom(...paths), operator, fc.boolean())
  .chain(([path, name, isNot]) =>
    (values[name] ?? range).map(
      (value): Condition => ({ fact: 'activity', path, operator: isNot ? `not:${name}` : name, value }),
    ),
  );
const { node } = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: leaf },
    fc.array(tie('node'), { maxLength: 3 }).map((all): Condition => ({ all })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
    tie('node').map((not): Condition => ({ not })),
  ),
}));
const all = fc.array(node, { minLength: 1, maxLength: 5 }).map((list): Condition => ({ all: list }));
const activities = fc.array(fc.tuple(factValue, factValue), { minLength: 40, maxLength: 40 });
const factsOf = ([value, channel]: readonly unknown[]): Facts => ({ activity: { value, channel } });

const runs = { numRuns: scaled(800) };

test('conditions that are called impossible hold for no facts', () => {
  let found = 0;
  fc.assert(
    fc.property(all, activities, (condition, input) => {
      if (!isUnsatisfiable([{ condition, negated: false }])) return;
      found += 1;
      const holds = holder(condition);
      expect(input.filter((each) => holds(factsOf(each)))).toEqual([]);
    }),
    runs,
  );
  expect(found).toBeGreaterThan(runs.numRuns / 10);
});

test('conditions that are called stricter than others hold only where the others hold', () => {
  let found = 0;
  fc.assert(
    fc.property(all, node, activities, (inner, outer, input) => {
      if (
        !isUnsatisfiable([
          { condition: inner, negated: false },
          { condition: outer, negated: true },
        ])
      )
        return;
      found += 1;
      const [holdsInner, holdsOuter] = [holder(inner), holder(outer)];
      expect(input.filter((each) => holdsInner(factsOf(each)) && !holdsOuter(factsOf(each)))).toEqual([]);
    }),
    runs,
  );
  expect(found).toBeGreaterThan(runs.numRuns / 10);
});

/** The same condition with another order, nesting and negation. */
function reworded(condition: Condition): Condition {
  if ('not' in condition) return { not: reworded(condition.not) };
  if ('all' in condition)
    return { not: { any: condition.all.map((each): Condition => ({ not: reworded(each) })).reverse() } };
  if ('any' in condition) return { any: [{ any: condition.any.map(reworded).reverse() }] };
  return { all: [{ not: { ...condition, operator: `not:${condition.operator}` } }] };
}

test('conditions with the same canonical text hold for the same facts, however they are worded', () => {
  fc.assert(
    fc.property(all, activities, (condition, input) => {
      const other = reworded(condition);
      // An empty `all` and an empty `any` both hold, so exchanging them under a negation changes the meaning.
      if (JSON.stringify(condition).includes('[]')) return;
      expect(canonical(other)).toBe(canonical(condition));
      const [one, two] = [holder(condition), holder(other)];
      expect(input.filter((each) => two(factsOf(each)) !== one(factsOf(each)))).toEqual([]);
    }),
    runs,
  );
});

test('conditions with one canonical text agree for any facts, also when they are written differently', () => {
  const small = fc.array(leaf, { minLength: 1, maxLength: 2 }).map((list): Condition => ({ all: list }));
  let found = 0;
  fc.assert(
    fc.property(small, small, activities, (one, two, input) => {
      if (canonical(one) !== canonical(two)) return;
      found += 1;
      const [holdsOne, holdsTwo] = [holder(one), holder(two)];
      expect(input.filter((each) => holdsTwo(factsOf(each)) !== holdsOne(factsOf(each)))).toEqual([]);
    }),
    // So many are needed to find any, at every scale.
    { numRuns: 10_000 },
  );
  expect(found).toBeGreaterThan(0);
});

test('conditions with any operator, decorator and path never hold when they are called impossible', () => {
  let found = 0;
  fc.assert(
    fc.property(randomCase, ({ conditions, facts }) => {
      for (const condition of conditions) {
        if (!isUnsatisfiable([{ condition, negated: false }])) continue;
        found += 1;
        // An activity always has an hour.
        const known = { ...facts, hour: facts.hour ?? 0 };
        expect(holder(condition)(known)).toBe(false);
      }
    }),
    { numRuns: scaled(800) },
  );
  expect(found).toBeGreaterThan(0);
});
