import fc from 'fast-check';
import { Engine, Rule as EngineRule } from 'json-rules-engine';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import { FactFrame } from '#engine/rules/evaluate/factFrame';
import { parseConditions, referenceEvaluator } from '#engine/rules/evaluate/referenceEvaluator';
import { indexRules, priorityLevel } from '#engine/rules/evaluate/ruleSet';
import type { Rule } from '#engine/rules/format/rule';
import type { Condition } from '#engine/rules/language/condition';
import type { ReadFact } from '#engine/rules/language/factRef';
import { resolvePath } from '#engine/rules/language/path';
import { scaled } from '../../../support/scale';
import { rule } from '../builders';

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

/** For each rule: `holds`, the failed condition, or the error. */
async function evaluate(evaluator: Evaluator, rules: readonly Rule[], read: ReadFact = readFact) {
  const level = priorityLevel(1, rules);
  const outcome = await evaluator.forActivity()(level, new FactFrame(level.facts, read));
  return rules.map((each) => {
    const hit = outcome.hits.find(({ rule: hitRule }) => hitRule === each);
    return hit ? (hit.error ?? 'holds') : outcome.failedCondition(each);
  });
}

/** The result of json-rules-engine alone: true, false, or an error. */
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
  it('answers for a list of rules what json-rules-engine answers for each alone, also when rules fail', async () => {
    const some = fc.array(
      nested.map((each): Condition => ({ all: [each] })),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(some, async (list) => {
        const rules = indexRules(list.map((conditions, i) => rule({ key: `r${i}`, conditions }))).rules;
        const level = priorityLevel(1, rules);
        const { hits } = await referenceEvaluator().forActivity()(level, new FactFrame(level.facts, readFact));
        const got = rules.map((each) => {
          const hit = hits.find(({ rule: hitRule }) => hitRule === each);
          return hit?.error === undefined ? hit !== undefined : 'error';
        });
        expect(got).toEqual(await Promise.all(rules.map(({ conditions }) => plain(conditions))));
      }),
      { numRuns: scaled(300) },
    );
  });

  it('keeps overlapping evaluations of the same rules apart', async () => {
    const evaluator = referenceEvaluator();
    const conditions = { all: [{ fact: 'hour', operator: 'equal', value: 7 }] };
    const rules: Rule[] = [rule({ conditions })];
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    const read = (hour: number) => (name: string) => (name === 'hour' ? hour : facts[name]);
    const all = await Promise.all(hours.map((hour) => evaluate(evaluator, rules, read(hour))));
    expect(hours.filter((hour) => all[hour]?.[0] === 'holds')).toEqual([7]);
  });

  it('names the conditions that held below a not', async () => {
    const conditions = { not: { any: [{ fact: 'hour', operator: 'equal', value: 12 }] } };
    const [outcome] = await evaluate(referenceEvaluator(), [rule({ conditions })]);
    expect(outcome).toEqual({ fact: 'hour', operator: 'not:equal', expected: 12, actual: 12 });
  });

  it('fails a rule that names an unknown fact', async () => {
    const conditions = { all: [{ fact: 'weather', operator: 'equal', value: 'fine' }] };
    const [outcome] = await evaluate(referenceEvaluator(), [rule({ conditions })]);
    expect(outcome).toBe('Undefined fact: weather');
  });

  it('does not change frozen rules whose conditions have priorities', async () => {
    const conditions = { all: [{ fact: 'hour', operator: 'equal', value: 12, priority: 5 }] };
    const rules = indexRules([rule({ conditions })]).rules;
    expect(Object.isFrozen(rules[0]?.conditions)).toBe(true);
    expect(await evaluate(referenceEvaluator(), rules)).toEqual(['holds']);
  });
});
