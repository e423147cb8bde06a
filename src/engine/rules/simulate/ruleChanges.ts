import { isDeepStrictEqual } from 'node:util';
import type { RuleDefinition } from '../format/rule';

/** How a rule differs between two rule sets. */
export type RuleChange = 'unchanged' | 'changed' | 'added' | 'removed';

/** A rule of one or both of the rule sets. */
export interface ComparedRule {
  programCode: string;
  key: string;
  name: string;
  change: RuleChange;
}

/** Identifies a rule in every version of the rule set. */
export function ruleKey(programId: RuleDefinition['programId'], key: string): string {
  return `${programId.toHexString()} ${key}`;
}

/** Compares two rule sets, by {@link ruleKey}. A different file, position, name, description or test is no change. */
export function ruleChanges(
  inForce: readonly RuleDefinition[],
  changed: readonly RuleDefinition[],
): ReadonlyMap<string, ComparedRule> {
  const before = byKey(inForce);
  const after = byKey(changed);
  const rules = new Map<string, ComparedRule>();
  for (const [id, rule] of [...before, ...after]) {
    const { programCode, key, name } = rule;
    rules.set(id, { programCode, key, name, change: ruleChange(before.get(id), after.get(id)) });
  }
  return rules;
}

function byKey(rules: readonly RuleDefinition[]): Map<string, RuleDefinition> {
  return new Map(rules.map((rule) => [ruleKey(rule.programId, rule.key), rule]));
}

function ruleChange(before: RuleDefinition | undefined, after: RuleDefinition | undefined): RuleChange {
  if (!before) return 'added';
  if (!after) return 'removed';
  return isDeepStrictEqual(decisionFields(before), decisionFields(after)) ? 'unchanged' : 'changed';
}

/** The fields that affect decisions, as plain JSON: dates become strings, undefined fields disappear. */
function decisionFields(rule: RuleDefinition): unknown {
  const { status, activityTypes, effective, hours, segments, tiers, priority, group, pick, stop, perLine } = rule;
  const { schedule, conditions, actions, limits, budget, onReturn, lookupTables } = rule;
  const when = { status, activityTypes, effective, hours, segments, tiers, priority, group, pick, stop, perLine };
  return JSON.parse(JSON.stringify({ ...when, schedule, conditions, actions, limits, budget, onReturn, lookupTables }));
}
