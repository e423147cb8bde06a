import type { ObjectId } from 'bson';
import { actionReads, conditionReads, indexRules, type RuleSet } from '../evaluate/ruleSet';
import { limitReads } from '../format/limits';
import type { Rule } from '../format/rule';
import { type Condition, listComparisons, listNames } from '../language/condition';
import { type FactRef, refKey, refText } from '../language/factRef';
import type { LookupTables } from '../lookup/lookupTable';
import type { SnapshotFacts } from './snapshotFacts';

/** A rule that reads a value that is unknown for an activity. */
export interface IncompleteRule {
  rule: Rule;
  /** The unknown values in words, such as `member $.birthDate`. */
  missing: readonly string[];
  /** Other rules depend on whether this rule fires. Then the result of the whole activity is unknown. */
  isDecisive: boolean;
}

/**
 * Rules that can be evaluated for a past activity. A probe replaces each rule that reads an unknown value. The probe
 * has only the conditions whose values are known, and its action changes nothing. When the probe does not fire, the
 * rule would certainly not have fired.
 */
export interface EvaluableRules {
  rules: RuleSet;
  /** The rules that probes replace, by rule key. */
  incomplete: ReadonlyMap<string, IncompleteRule>;
}

/** A value that a rule reads and that may be missing in a fact snapshot. */
interface Uncertain {
  ref: FactRef;
  text: string;
}

/** The rules of one program and activity type, with the values that they read. */
interface RuleReads {
  rules: readonly Rule[];
  uncertain: readonly Uncertain[];
  lookupTables: LookupTables;
  known: Map<string, EvaluableRules>;
}

/** Gives the rules for an activity. Activities with the same known facts share one compiled rule set. */
export function evaluableRules(
  set: RuleSet,
): (program: ObjectId, type: string, facts: SnapshotFacts) => EvaluableRules {
  const byPlace = new Map<string, RuleReads>();
  return (program, type, facts) => {
    const place = `${program.toHexString()} ${type}`;
    const reads = byPlace.get(place) ?? ruleReads(set.forActivity(program, type).rules, set.lookupTables);
    byPlace.set(place, reads);
    let signature = '';
    for (const { ref } of reads.uncertain) signature += facts.knows(ref) ? '1' : '0';
    const made = reads.known.get(signature) ?? make(reads, signature);
    if (reads.known.size >= signaturesMax) reads.known.clear();
    reads.known.set(signature, made);
    return made;
  };
}

/** Maximum number of cached rule sets for one program and activity type. Each is compiled. */
const signaturesMax = 20;

function ruleReads(rules: readonly Rule[], lookupTables: LookupTables): RuleReads {
  const uncertain = new Map(rules.flatMap(listRuleRefs).map((ref) => [refKey(ref), { ref, text: refWithParams(ref) }]));
  return { rules, uncertain: [...uncertain.values()], lookupTables, known: new Map() };
}

function make({ rules, uncertain, lookupTables }: RuleReads, signature: string): EvaluableRules {
  const unknown = new Map(uncertain.flatMap(({ ref, text }, n) => (signature[n] === '0' ? [[refKey(ref), text]] : [])));
  const incomplete = new Map<string, IncompleteRule>();
  const evaluable = rules.map((rule) => {
    const missing = unknownReads(rule, unknown);
    if (missing.length === 0) return rule;
    incomplete.set(rule.key, { rule, missing, isDecisive: isDecisive(rule) });
    return probeRule(rule, unknown);
  });
  return { rules: indexRules(evaluable, lookupTables), incomplete };
}

function unknownReads(rule: Rule, unknown: ReadonlyMap<string, string>): string[] {
  const facts = listRuleRefs(rule).flatMap((ref) => unknown.get(refKey(ref)) ?? []);
  return [...new Set([...facts, ...conditionLists(rule.conditions)])];
}

/** The facts that a rule reads in its conditions, amounts and limits, and for its fields `segments` and `tiers`. */
function listRuleRefs(rule: Rule): FactRef[] {
  return [
    ...conditionReads(rule.conditions),
    ...rule.actions.flatMap(actionReads),
    ...limitReads(rule),
    ...(rule.segments ? [segmentsRef] : []),
    ...(rule.tiers ? [tierRef] : []),
  ];
}

const segmentsRef: FactRef = { fact: 'member', path: '$.segments' };
const tierRef: FactRef = { fact: 'member', path: '$.tier' };

/** The named lists of a condition. Their past contents are never known. */
function conditionLists(condition: Condition): string[] {
  return listComparisons(condition).flatMap(({ operator, value }) =>
    operator.endsWith('inNamedList') ? listNames(value).map((name) => `named list ${name}`) : [],
  );
}

function refWithParams(ref: FactRef): string {
  return ref.params === undefined ? refText(ref) : `${refText(ref)} ${JSON.stringify(ref.params)}`;
}

function isDecisive({ stop, group, actions, limits = [] }: Rule): boolean {
  const rejects = actions.some(({ type }) => type === 'reject') || limits.some(({ onExceed }) => onExceed === 'reject');
  return stop === true || group !== undefined || rejects;
}

function probeRule(rule: Rule, unknown: ReadonlyMap<string, string>): Rule {
  const { limits: _limits, budget: _budget, group: _group, pick: _pick, stop: _stop, ...rest } = rule;
  const { segments, tiers, ...plain } = rest;
  const isKnown = (ref: FactRef) => !unknown.has(refKey(ref));
  return {
    ...plain,
    ...(segments && isKnown(segmentsRef) ? { segments } : {}),
    ...(tiers && isKnown(tierRef) ? { tiers } : {}),
    conditions: { all: necessary(rule.conditions).filter((each) => isEvaluable(each, isKnown)) },
    actions: [{ type: 'log', message: 'not evaluated' }],
  };
}

/** The parts of a condition that must all hold. */
function necessary(condition: Condition): readonly Condition[] {
  return 'all' in condition ? condition.all : [condition];
}

function isEvaluable(condition: Condition, isKnown: (ref: FactRef) => boolean): boolean {
  return conditionReads(condition).every(isKnown) && conditionLists(condition).length === 0;
}
