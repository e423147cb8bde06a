import { isDeepStrictEqual } from 'node:util';
import type { RuleDraft } from '../format/rule';

/** What became of a rule from one rule set to another. */
export type RuleChange = 'unchanged' | 'changed' | 'added' | 'removed';

/** A rule of either rule set. */
export interface ComparedRule {
  programCode: string;
  key: string;
  name: string;
  change: RuleChange;
}

/** The same text for the same rule of any version. */
export function ruleKey(programId: RuleDraft['programId'], key: string): string {
  return `${programId.toHexString()} ${key}`;
}

/** Every rule of two rule sets by its {@link ruleKey}; where a rule stands, its words and its tests do not matter. */
export function ruleChanges(
  inForce: readonly RuleDraft[],
  changed: readonly RuleDraft[],
): ReadonlyMap<string, ComparedRule> {
  const before = byKey(inForce);
  const after = byKey(changed);
  const rules = new Map<string, ComparedRule>();
  for (const [id, rule] of [...before, ...after]) {
    const { programCode, key, name } = rule;
    rules.set(id, { programCode, key, name, change: changeOf(before.get(id), after.get(id)) });
  }
  return rules;
}

function byKey(rules: readonly RuleDraft[]): Map<string, RuleDraft> {
  return new Map(rules.map((rule) => [ruleKey(rule.programId, rule.key), rule]));
}

function changeOf(before: RuleDraft | undefined, after: RuleDraft | undefined): RuleChange {
  if (!before) return 'added';
  if (!after) return 'removed';
  return isDeepStrictEqual(meaningOf(before), meaningOf(after)) ? 'unchanged' : 'changed';
}

/** What decides, as plain JSON: dates as texts, and nothing that is undefined. */
function meaningOf(rule: RuleDraft): unknown {
  const { status, activityTypes, effective, hours, segments, tiers, priority, group, pick, stop, perLine } = rule;
  const { conditions, actions, limits, budget } = rule;
  const when = { status, activityTypes, effective, hours, segments, tiers, priority, group, pick, stop, perLine };
  return JSON.parse(JSON.stringify({ ...when, conditions, actions, limits, budget }));
}
