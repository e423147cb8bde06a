import { isDeepStrictEqual } from 'node:util';
import { conditionReads } from '../evaluate/ruleSet';
import { isInHistory } from '../format/isInHistory';
import { compareRules, type RuleDefinition } from '../format/rule';
import type { FactRef } from '../language/factRef';
import { parsePath } from '../language/path';
import { type Demand, isUnsatisfiable } from './unsatisfiable';

/** Whether a rule prevents later rules whenever its conditions hold. No limit, budget or group may cut it. */
export function isBarrier({ stop, group, pick = 'all', perLine, limits, budget }: RuleDefinition): boolean {
  const isFree = limits === undefined && budget === undefined && !perLine;
  return isFree && (pick === 'first' ? group !== undefined : stop === true && pick === 'all');
}

/**
 * Whether `first` fires whenever `rule` could, and so prevents it: by `stop`, or as the first of its group. True only
 * when this is certain. `first` must be a barrier.
 * @param demands the demands of `rule`
 */
export function comesFirst(first: RuleDefinition, rule: RuleDefinition, demands: readonly Demand[]): boolean {
  if (compareRules(first, rule) >= 0 || !keepsOut(first, rule) || !coversAudience(first, rule)) return false;
  if (first.priority !== rule.priority && !conditionReads(first.conditions).every(isStable)) return false;
  const { conditions } = first;
  const children = 'all' in conditions ? conditions.all : [conditions];
  return children.every((condition) => isUnsatisfiable([...demands, { condition, negated: true }]));
}

function keepsOut(first: RuleDefinition, rule: RuleDefinition): boolean {
  return first.pick === 'first' ? rule.group === first.group : first.stop === true;
}

/** Whether the other fields (types, dates, hours, segments, tiers) allow `first` wherever they allow `rule`. */
function coversAudience(first: RuleDefinition, rule: RuleDefinition): boolean {
  const { effective: outer = {}, hours } = first;
  const { effective: inner = {} } = rule;
  return (
    first.programId.equals(rule.programId) &&
    rule.activityTypes.every((type) => first.activityTypes.includes(type)) &&
    (!outer.from || (inner.from !== undefined && inner.from >= outer.from)) &&
    (!outer.to || (inner.to !== undefined && inner.to <= outer.to)) &&
    (!hours || isDeepStrictEqual(hours, rule.hours)) &&
    isDeepStrictEqual(first.schedule, rule.schedule) &&
    overlapsIn(first, rule, 'segments') &&
    overlapsIn(first, rule, 'tiers')
  );
}

/** Only comparable within one priority: rules of a priority in between may change segments and tiers. */
function overlapsIn(first: RuleDefinition, rule: RuleDefinition, field: 'segments' | 'tiers'): boolean {
  const outer = first[field];
  const inner = rule[field];
  if (outer === undefined) return true;
  return first.priority === rule.priority && inner !== undefined && inner.every((name) => outer.includes(name));
}

/** Whether a fact has the same value for all priorities, because no rule changes it. */
function isStable(ref: FactRef): boolean {
  const { fact, path } = ref;
  if (fact === 'activity') return path !== undefined && parsePath(path).length > 0 && isInHistory(ref);
  return stableFacts.has(fact);
}

const stableFacts: ReadonlySet<string> = new Set([
  'program',
  'location',
  'partner',
  'now',
  'dayOfWeek',
  'hour',
  'isFirstActivity',
  'eligibleAmount',
  'eligibleQuantity',
  'tender',
]);
