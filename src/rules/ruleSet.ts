import type { ObjectId } from 'bson';
import type { Comparison, Condition } from './condition';
import { type FactRef, refKey } from './factRef';
import { compareRules, type Rule } from './rule';

/** Rules of one priority, in rule order, with the facts that they look at. */
export interface RuleLevel {
  readonly priority: number;
  readonly rules: readonly Rule[];
  /** Each different fact, path and parameters once; `activity` left out, since the history holds it. */
  readonly reads: readonly { readonly key: string; readonly ref: FactRef }[];
}

/** The rules that an activity of one program and type meets. */
export interface ActivityRules {
  /** Highest priority first. */
  readonly levels: readonly RuleLevel[];
  /** All rules of the levels, in rule order. */
  readonly rules: readonly Rule[];
  /** Some rule can burn points: the pipeline must load lots. */
  readonly burns: boolean;
  /** Some rule has a limit or budget: the pipeline must load counters. */
  readonly limited: boolean;
}

/** An immutable rule set of an org, indexed by program and activity type. */
export interface RuleSet {
  /** All rules, in rule order. */
  readonly rules: readonly Rule[];
  forActivity(programId: ObjectId, type: string): ActivityRules;
  burns(programId: ObjectId, type: string): boolean;
  limited(programId: ObjectId, type: string): boolean;
}

/** Freezes the rules and indexes them; their order does not depend on the order they are given in. */
export function indexRules(given: readonly Rule[]): RuleSet {
  const rules = [...given].sort(compareRules);
  for (const rule of rules) deepFreeze(rule);
  const grouped = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const type of rule.activityTypes) {
      const key = keyOf(rule.programId, type);
      grouped.set(key, [...(grouped.get(key) ?? []), rule]);
    }
  }
  const index = new Map([...grouped].map(([key, some]) => [key, activityRules(some)]));
  const forActivity = (programId: ObjectId, type: string) => index.get(keyOf(programId, type)) ?? none;
  return Object.freeze({
    rules: Object.freeze(rules),
    forActivity,
    burns: (programId: ObjectId, type: string) => forActivity(programId, type).burns,
    limited: (programId: ObjectId, type: string) => forActivity(programId, type).limited,
  });
}

const none: ActivityRules = { levels: [], rules: [], burns: false, limited: false };

function keyOf(programId: ObjectId, type: string): string {
  return `${programId.toHexString()} ${type}`;
}

function activityRules(rules: readonly Rule[]): ActivityRules {
  const levels = new Map<number, Rule[]>();
  for (const rule of rules) levels.set(rule.priority, [...(levels.get(rule.priority) ?? []), rule]);
  return {
    levels: [...levels].map(([priority, some]) => ({ priority, rules: some, reads: readsOf(some) })),
    rules,
    burns: rules.some(({ actions }) => actions.some(({ type }) => type === 'redeemPoints')),
    limited: rules.some(({ limits, budget }) => limits !== undefined || budget !== undefined),
  };
}

function readsOf(rules: readonly Rule[]): RuleLevel['reads'] {
  const refs = rules.flatMap(({ conditions, actions }) => [
    ...conditionReads(conditions),
    ...actions.flatMap(actionReads),
  ]);
  const byKey = new Map(refs.filter(({ fact }) => fact !== 'activity').map((ref) => [refKey(ref), ref]));
  return [...byKey].map(([key, ref]) => ({ key, ref }));
}

/** Every fact that a condition compares, on either side. */
export function conditionReads(condition: Condition): FactRef[] {
  if ('all' in condition) return condition.all.flatMap(conditionReads);
  if ('any' in condition) return condition.any.flatMap(conditionReads);
  if ('not' in condition) return conditionReads(condition.not);
  return [refOf(condition), ...(isFactValue(condition.value) ? [refOf(condition.value)] : [])];
}

function actionReads(action: Rule['actions'][number]): FactRef[] {
  const asked = 'points' in action ? action.points : 'value' in action ? action.value : undefined;
  return typeof asked === 'object' ? [asked.of] : [];
}

/** A value that json-rules-engine takes for a fact to compare with: an object with the key `fact`. */
export function isFactValue(value: unknown): value is Pick<Comparison, 'fact' | 'path' | 'params'> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'fact');
}

function refOf({ fact, path, params }: Pick<Comparison, 'fact' | 'path' | 'params'>): FactRef {
  return { fact, ...(path === undefined ? {} : { path }), ...(params === undefined ? {} : { params }) };
}

/** Dates and ids are left alone: freezing does not protect them, and ids keep a cache in themselves. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
}
