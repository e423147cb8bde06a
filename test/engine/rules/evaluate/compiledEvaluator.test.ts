import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import { activity, award, decideWith } from '../builders';

it.each([1, 31, 32, 33, 64, 65, 100])('each of %d rules is evaluated', async (count) => {
  const rules = Array.from({ length: count }, (_, n) => award(`rule-${n}`, 1));
  const { decision } = await decideWith(rules, { activity: activity({}), evaluator: compiledEvaluator() });
  expect(decision.ruleMatch.map(({ fired }) => fired)).toEqual(rules.map(() => true));
});
