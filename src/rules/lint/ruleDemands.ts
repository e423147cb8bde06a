import type { RuleDefinition } from '../format/rule';
import type { Condition } from '../language/condition';
import type { JsonPath } from '../source/ruleSource';
import type { Demand } from './cannotHold';

/** A demand that must be met for a rule to fire: one of its conditions, or the demand of another field. */
export interface RuleDemand extends Demand {
  /** Its path in the rule. */
  path: JsonPath;
  /** The field of the rule that makes the demand; absent for conditions. */
  field?: string;
}

/** All demands that must be met together for a rule to fire. */
export function ruleDemands(rule: RuleDefinition): RuleDemand[] {
  return [...conditionDemands(rule.conditions), ...fieldDemands(rule)];
}

/** One demand for each condition of the outermost `all`. */
function conditionDemands(conditions: Condition): RuleDemand[] {
  if (!('all' in conditions)) return [{ condition: conditions, negated: false, path: ['conditions'] }];
  return conditions.all.map((condition, index) => {
    const path = ['conditions', 'all', index, ...('fact' in condition ? ['value'] : [])];
    return { condition, negated: false, path };
  });
}

function fieldDemands({ activityTypes, programCode, effective = {} }: RuleDefinition): RuleDemand[] {
  const { from, to } = effective;
  return [
    demand('activityTypes', 'activity', '$.type', 'in', activityTypes),
    demand('program', 'program', '$.code', 'equal', programCode),
    ...(from ? [dated('from', 'greaterThanInclusive', from)] : []),
    ...(to ? [dated('to', 'lessThan', to)] : []),
  ];
}

function dated(end: string, operator: string, at: Date): RuleDemand {
  const asked = demand('effective', 'activity', '$.date', operator, at.toISOString());
  return { ...asked, path: ['effective', end] };
}

function demand(field: string, fact: string, path: string, operator: string, value: unknown): RuleDemand {
  return { condition: { fact, path, operator, value }, negated: false, path: [field], field };
}
