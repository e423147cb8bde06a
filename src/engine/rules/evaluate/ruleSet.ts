import type { ObjectId } from 'bson';
import { groupBy, pushTo } from '#base/common/lists/groupBy';
import { isOccasionType, type OccasionType } from '#records/activities/occasion';
import { findActionDefinition, type RuleAction } from '../actions/list';
import { limitReads } from '../format/limits';
import { compareRules, type Rule } from '../format/rule';
import { type Amount, amountReads } from '../language/amount';
import { type Comparison, type Condition, listComparisons } from '../language/condition';
import { type FactRef, isFactRef, refKey } from '../language/factRef';
import { withKeys } from '../language/tableParams';
import { type LookupTables, noLookupTables } from '../lookup/lookupTable';
import { type ActionNeeds, collectActionNeeds } from './actionNeeds';
import { type FactSlots, factSlots } from './factFrame';
import { collectRuleNeeds, noNeeds, type RuleNeeds } from './ruleNeeds';
import { type TableReader, tableReader } from './tableReader';

/** Rules of one priority, in rule order, with the facts that they read. */
export interface PriorityLevel {
  readonly priority: number;
  readonly rules: readonly Rule[];
  /** The facts that their conditions and amounts read. */
  readonly facts: FactSlots;
  /** Some rule is limited to certain segments or tiers. */
  readonly restricted: boolean;
}

/** All rules of one priority that apply to an activity, by the way they are evaluated. */
export interface ActivityLevel {
  readonly priority: number;
  /** In rule order. */
  readonly rules: readonly Rule[];
  /** The rules that are evaluated once. */
  readonly once: PriorityLevel;
  /** The rules that are evaluated for each line item; absent when there are none. */
  readonly perLine?: PriorityLevel;
}

/** The rules that apply to activities of one program and type. */
export interface ActivityRules {
  /** Highest priority first. */
  readonly levels: readonly ActivityLevel[];
  /** All rules of the levels, in rule order. */
  readonly rules: readonly Rule[];
  /** Some rule has a limit or budget, so the pipeline must load counters. */
  readonly limited: boolean;
  readonly needs: RuleNeeds;
  readonly actionNeeds: ActionNeeds;
  /** Reads the fact `table`; absent when no rule has lookup tables. */
  readonly tables?: TableReader;
}

/** An immutable rule set of an org, indexed by program and activity type. */
export interface RuleSet {
  /** All rules, in rule order. */
  readonly rules: readonly Rule[];
  /** The lookup tables that rules read. */
  readonly lookupTables: LookupTables;
  forActivity(programId: ObjectId, type: string): ActivityRules;
  /** The occasions that active rules of a program are for; undefined when there are none. */
  occasionsOf(programId: ObjectId): ReadonlySet<OccasionType> | undefined;
}

/**
 * Freezes, sorts and indexes the rules. The order of the input does not matter.
 * @param lookupTables must have the tables of all rules
 */
export function indexRules(unordered: readonly Rule[], lookupTables = noLookupTables): RuleSet {
  const rules = [...unordered].sort(compareRules);
  for (const rule of rules) deepFreeze(rule);
  const grouped = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const type of rule.activityTypes) pushTo(grouped, programTypeKey(rule.programId, type), rule);
  }
  const occasions = occasionsIn(rules);
  const index = new Map([...grouped].map(([key, some]) => [key, activityRules(some, lookupTables)]));
  return Object.freeze({
    rules: Object.freeze(rules),
    lookupTables,
    forActivity: (programId: ObjectId, type: string) => index.get(programTypeKey(programId, type)) ?? none,
    occasionsOf: (programId: ObjectId) => occasions.get(programId.toHexString()),
  });
}

function occasionsIn(rules: readonly Rule[]): Map<string, Set<OccasionType>> {
  const types = new Map<string, Set<OccasionType>>();
  for (const { status, programId, activityTypes } of rules) {
    const own = status === 'active' ? activityTypes.filter(isOccasionType) : [];
    if (own.length === 0) continue;
    const program = programId.toHexString();
    types.set(program, new Set([...(types.get(program) ?? []), ...own]));
  }
  return types;
}

const none: ActivityRules = {
  levels: [],
  rules: [],
  limited: false,
  needs: noNeeds,
  actionNeeds: collectActionNeeds([]),
};

function programTypeKey(programId: ObjectId, type: string): string {
  return `${programId.toHexString()} ${type}`;
}

function activityRules(rules: readonly Rule[], lookupTables: LookupTables): ActivityRules {
  const levels = groupBy(rules, ({ priority }) => priority);
  const tables = tableReader(rules, lookupTables);
  return {
    levels: [...levels].map(([priority, some]) => activityLevel(priority, some)),
    rules,
    limited: rules.some(({ limits, budget }) => limits !== undefined || budget !== undefined),
    needs: collectRuleNeeds(rules, ruleRefs(rules)),
    actionNeeds: collectActionNeeds(rules),
    ...(tables && { tables }),
  };
}

function activityLevel(priority: number, rules: readonly Rule[]): ActivityLevel {
  const perLine = rules.filter((rule) => rule.perLine);
  if (perLine.length === 0) return { priority, rules, once: priorityLevel(priority, rules) };
  const once = rules.filter((rule) => !rule.perLine);
  return { priority, rules, once: priorityLevel(priority, once), perLine: priorityLevel(priority, perLine) };
}

/** The level of some rules of one priority. `keyOf` must return equal keys for references to the same value. */
export function priorityLevel(priority: number, rules: readonly Rule[], keyOf = refKey): PriorityLevel {
  const restricted = rules.some(({ segments, tiers }) => segments !== undefined || tiers !== undefined);
  return { priority, rules, facts: factSlots(ruleRefs(rules), keyOf), restricted };
}

/** Every fact that rules read. */
function ruleRefs(rules: readonly Rule[]): FactRef[] {
  const refs = rules.flatMap((rule) => [
    ...conditionReads(rule.conditions),
    ...rule.actions.flatMap(actionReads),
    ...limitReads(rule),
  ]);
  return [...refs, ...refs.flatMap(crossedSum)];
}

/** The sum that `crossed` depends on. It is read too, so that a history says which sum was reached. */
function crossedSum({ fact, params }: FactRef): FactRef[] {
  if (fact !== 'crossed' || !params) return [];
  const { metric, period } = params;
  return [{ fact: 'aggregate', params: { metric, period } }];
}

/** Every fact that a condition compares, on either side, and every fact in the keys of these. */
export function conditionReads(condition: Condition): FactRef[] {
  return listComparisons(condition)
    .flatMap((comparison) => [
      comparisonRef(comparison),
      ...(isFactRef(comparison.value) ? [comparisonRef(comparison.value)] : []),
    ])
    .flatMap(withKeys);
}

/** Every fact in the amounts and messages of an action. */
export function actionReads(action: RuleAction): FactRef[] {
  const params: Readonly<Record<string, unknown>> = action;
  const definition = findActionDefinition(action.type);
  const amounts = (definition?.amounts ?? []).map((name) => params[name] as Amount | undefined);
  const refs = amounts.flatMap((amount) => (amount === undefined ? [] : amountReads(amount)));
  return [...refs, ...(definition?.reads?.(action) ?? [])].flatMap(withKeys);
}

/** The reference to a fact, without the other fields of the object. */
export function comparisonRef({ fact, path, params }: Pick<Comparison, 'fact' | 'path' | 'params'>): FactRef {
  return { fact, ...(path === undefined ? {} : { path }), ...(params === undefined ? {} : { params }) };
}

/**
 * Freezes plain objects and lists. It skips Dates, which freezing does not protect, and ids, which cache data in
 * fields.
 */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
}
