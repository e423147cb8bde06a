import { type Static, Type } from '@sinclair/typebox';
import { count, list, oneOf, record } from '#base/schema/atoms';
import { english } from '#engine/rules/explain/english';
import type { Phrasebook } from '#engine/rules/explain/phrasebook';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { listComparisons } from '#engine/rules/language/condition';
import type { RuleCoverage } from '#engine/rules/ruleTests/coverRules';

/** Maximum number of conditions that one answer names for a rule. */
const namedMax = 1000;

/** What tests reached of a rule. */
export const ruleCoverageShape = record({
  isHit: Type.Boolean({ description: 'It fires in at least one test' }),
  conditions: count({ description: 'Its comparisons' }),
  uncovered: list(
    record({
      sentence: Type.String({ description: 'The comparison in words' }),
      came: oneOf(['never', 'onlyTrue', 'onlyFalse'], { description: 'How it came out in the tests' }),
    }),
    namedMax,
    { description: 'The comparisons that were not both true and false in tests' },
  ),
});

/** What tests reached of a rule, from what they reached of all. */
export function coverageOfRule(
  rule: RuleDefinition,
  { hit, seen }: RuleCoverage,
  phrasebook: Phrasebook = english,
): Static<typeof ruleCoverageShape> {
  const comparisons = listComparisons(rule.conditions);
  const uncovered = comparisons.flatMap((comparison) => {
    const { true: wasTrue = false, false: wasFalse = false } = seen.get(comparison) ?? {};
    if (wasTrue && wasFalse) return [];
    const outcome = wasTrue ? 'onlyTrue' : wasFalse ? 'onlyFalse' : 'never';
    return [{ sentence: phrasebook.comparison(comparison), came: outcome } as const];
  });
  return { isHit: hit.has(rule), conditions: comparisons.length, uncovered: uncovered.slice(0, namedMax) };
}
