import fc from 'fast-check';
import { Engine, Rule as EngineRule } from 'json-rules-engine';
import type { Condition } from '../../src/rules/condition';
import { parseConditions, referenceEvaluator } from '../../src/rules/evaluate';
import { resolvePath } from '../../src/rules/path';
import type { Rule } from '../../src/rules/rule';
import { indexRules } from '../../src/rules/ruleSet';
import { rule } from './builders';

const facts: Record<string, unknown> = {
  activity: { type: 'Accrual', value: 5, date: new Date(), lineItems: [{ quantity: 1 }, { quantity: 3 }] },
  member: { segments: ['VIP'], ext: {} },
  hour: 12,
};
const readFact = (name: string) => facts[name];

const leaf = fc.constantFrom<Condition>(
  { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 3 },
  { fact: 'activity', path: '$.value', operator: 'lessThan', value: { fact: 'hour' }, priority: 3 },
  { fact: 'activity', path: '$.missing', operator: 'notEqual', value: 1 },
  { fact: 'activity', path: '$.lineItems[*].quantity', operator: 'contains', value: 3, priority: 2 },
  { fact: 'activity', path: '$.lineItems[*].quantity', operator: 'everyFact:greaterThan', value: 1 },
  { fact: 'member', path: '$.segments', operator: 'someFact:in', value: ['Staff'] },
  { fact: 'hour', operator: 'not:equal', value: 12 },
  { fact: 'hour', operator: 'swap:in', value: 5 },
  { fact: 'hour', operator: 'someValue:equal', value: [1, 12] },
);
const nested = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }).map((all): Condition => ({ all })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any, priority: 2 })),
    tie('node').map((not): Condition => ({ not })),
  ),
})).node;

/** json-rules-engine by itself: true, false, or an error. */
async function plain(conditions: Condition): Promise<boolean | 'error'> {
  const engine = new Engine([], { pathResolver: resolvePath });
  for (const name of Object.keys(facts)) engine.addFact(name, () => facts[name]);
  const engineRule = new EngineRule({ event: { type: 'e' }, conditions: { all: [] } });
  engineRule.conditions = parseConditions(conditions);
  engine.addRule(engineRule);
  try {
    return (await engine.run()).events.length === 1;
  } catch {
    return 'error';
  }
}

describe('referenceEvaluator', () => {
  it('answers for a list of rules what json-rules-engine answers for each alone, failing ones included', async () => {
    const some = fc.array(
      nested.map((each): Condition => ({ all: [each] })),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(some, async (list) => {
        const rules = indexRules(list.map((conditions, i) => rule({ key: `r${i}`, conditions }))).rules;
        const outcomes = await referenceEvaluator().evaluate(rules, readFact);
        const expected = await Promise.all(rules.map(({ conditions }) => plain(conditions)));
        expect(outcomes.map((outcome) => ('error' in outcome ? 'error' : outcome.holds))).toEqual(expected);
        expect(outcomes.map((outcome) => outcome.rule)).toEqual(rules);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps overlapping evaluations of the same rules apart', async () => {
    const evaluator = referenceEvaluator();
    const conditions = { all: [{ fact: 'hour', operator: 'equal', value: 7 }] };
    const rules: Rule[] = [rule({ conditions })];
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    const read = (hour: number) => (name: string) => (name === 'hour' ? hour : facts[name]);
    const all = await Promise.all(hours.map((hour) => evaluator.evaluate(rules, read(hour))));
    expect(all.map(([outcome]) => outcome?.holds)).toEqual(hours.map((hour) => hour === 7));
  });

  it('names what held below a not', async () => {
    const conditions = { not: { any: [{ fact: 'hour', operator: 'equal', value: 12 }] } };
    const [outcome] = await referenceEvaluator().evaluate([rule({ conditions })], readFact);
    expect(outcome).toMatchObject({
      holds: false,
      failedCondition: { fact: 'hour', operator: 'not:equal', expected: 12, actual: 12 },
    });
  });

  it('fails a rule that names an unknown fact', async () => {
    const conditions = { all: [{ fact: 'weather', operator: 'equal', value: 'fine' }] };
    const [outcome] = await referenceEvaluator().evaluate([rule({ conditions })], readFact);
    expect(outcome).toMatchObject({ holds: false, error: 'Undefined fact: weather' });
  });

  it('does not touch frozen rules whose conditions have priorities', async () => {
    const conditions = { all: [{ fact: 'hour', operator: 'equal', value: 12, priority: 5 }] };
    const rules = indexRules([rule({ conditions })]).rules;
    expect(Object.isFrozen(rules[0]?.conditions)).toBe(true);
    expect(await referenceEvaluator().evaluate(rules, readFact)).toMatchObject([{ holds: true }]);
  });
});
