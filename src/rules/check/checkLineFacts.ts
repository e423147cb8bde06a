import { actionReads, conditionReads } from '../evaluate/ruleSet';
import { lineFacts } from '../format/facts';
import type { Condition } from '../language/condition';
import type { PlacedRule } from './checkRule';

/** Checks that facts of line items stand in rules for line items only; `conditions` are those of the rule, expanded. */
export function checkLineFacts({ source, at, rule }: PlacedRule, conditions: Condition): void {
  if (rule.perLine) return;
  const check = (place: string, facts: readonly { fact: string }[]) => {
    const found = facts.find(({ fact }) => lineFacts.has(fact));
    if (found) source.error([...at, place], `the fact "${found.fact}" needs "perLine": true`);
  };
  check('conditions', conditionReads(conditions));
  check('actions', rule.actions.flatMap(actionReads));
}
