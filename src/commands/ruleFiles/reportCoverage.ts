import { runScenario } from '#activities/scenario/runScenario';
import { comparisonSentence } from '#engine/rules/explain/explainCondition';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { coverRules, type RuleCoverage } from '#engine/rules/ruleTests/coverRules';
import type { SourcePosition } from '#engine/rules/source/ruleSource';
import { plural } from '#engine/rules/words/amountText';
import type { CheckedFolder } from './checkFolders';

/** Which rules the activities of the last `days` days hit. */
export interface PastHits {
  days: number;
  isHit(rule: RuleDefinition): boolean;
}

/**
 * Lists the rules and conditions of an org that its tests do not reach, one line each, then the counts. With `past`, it
 * also lists the active rules that no past activity hit.
 */
export async function reportCoverage(folder: CheckedFolder, past: PastHits | undefined): Promise<string[]> {
  const { rules, definitions } = folder;
  const covered = await coverRules(rules, definitions, { runScenario });
  const untested = rules.filter((rule) => !covered.hit.has(rule));
  const unused = past ? rules.filter((rule) => rule.status === 'active' && !past.isHit(rule)) : [];
  const conditions = conditionLines(folder, covered);
  const total = folder.comparisons().size;
  const byActivities = past
    ? `, ${rules.length - unused.length} by activities of the last ${plural(past.days, 'day')} or not active`
    : '';
  return [
    ...untested.map((rule) => `${ruleText(folder, rule)} is hit by no test`),
    ...unused.map(
      (rule) => `${ruleText(folder, rule)} was hit by no activity of the last ${plural(past?.days ?? 0, 'day')}`,
    ),
    ...conditions,
    `${plural(rules.length, 'rule')}: ${rules.length - untested.length} hit by tests${byActivities}`,
    `${plural(total, 'condition')}: ${total - conditions.length} both true and false in tests`,
  ];
}

function ruleText({ placeOf }: CheckedFolder, rule: RuleDefinition): string {
  return `${placeText(placeOf(rule, []))} ${rule.programCode}/${rule.key}`;
}

/** Lists the conditions that were only true, only false, or never evaluated in tests. */
function conditionLines({ comparisons }: CheckedFolder, { seen }: RuleCoverage): string[] {
  return [...comparisons()].flatMap(([comparison, place]) => {
    const results = seen.get(comparison);
    if (results?.true && results.false) return [];
    const lack = results ? `never ${results.true ? 'false' : 'true'} in a test` : 'in no test';
    return [`${placeText(place)} ${lack}: ${comparisonSentence(comparison)}`];
  });
}

function placeText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}
