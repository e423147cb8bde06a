import { dayNames, type RuleDefinition } from '../format/rule';
import type { Condition } from '../language/condition';
import type { JsonPath } from '../source/ruleSource';
import type { Demand } from './unsatisfiable';

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

function fieldDemands({ activityTypes, programCode, effective = {}, hours }: RuleDefinition): RuleDemand[] {
  const { from, to } = effective;
  return [
    demand('activityTypes', 'activity', '$.type', 'in', activityTypes),
    demand('program', 'program', '$.code', 'equal', programCode),
    ...(from ? [dated('from', 'greaterThanInclusive', from)] : []),
    ...(to ? [dated('to', 'lessThan', to)] : []),
    ...(hours && Object.keys(hours).every(isOfProgram) ? hourDemands(hours) : []),
  ];
}

/** Whether a field of `hours` leaves them in the program's time zone, as the facts `dayOfWeek` and `hour` are. */
function isOfProgram(field: string): boolean {
  return ['days', 'from', 'to'].includes(field);
}

/** What `hours` say of the facts `dayOfWeek` and `hour`. Hours past midnight belong to the day on which they began. */
function hourDemands({ days, from = '00:00', to = '24:00' }: NonNullable<RuleDefinition['hours']>): RuleDemand[] {
  const isOvernight = from > to;
  const first = Number(from.slice(0, 2));
  const last = to.endsWith(':00') ? Number(to.slice(0, 2)) - 1 : Number(to.slice(0, 2));
  const began = (days ?? []).map((day) => dayNames.indexOf(day));
  const reached = isOvernight ? [...began, ...began.map((day) => (day + 1) % 7)] : began;
  return [
    ...(days ? [demand('hours', 'dayOfWeek', undefined, 'in', [...new Set(reached)])] : []),
    ...(isOvernight ? [] : [demand('hours', 'hour', undefined, 'between', [first, last])]),
  ];
}

function dated(end: string, operator: string, at: Date): RuleDemand {
  const dateDemand = demand('effective', 'activity', '$.date', operator, at.toISOString());
  return { ...dateDemand, path: ['effective', end] };
}

function demand(field: string, fact: string, path: string | undefined, operator: string, value: unknown): RuleDemand {
  const condition = { fact, ...(path !== undefined && { path }), operator, value };
  return { condition, negated: false, path: [field], field };
}
