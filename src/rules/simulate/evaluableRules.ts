import type { ObjectId } from 'bson';
import { actionReads, conditionReads, indexRules, type RuleSet } from '../evaluate/ruleSet';
import type { Rule } from '../format/rule';
import { type Condition, comparisonsOf, listNames } from '../language/condition';
import { type FactRef, refKey, refText } from '../language/factRef';
import type { RecalledFacts } from './recalledFacts';

/** A rule that looks at something that is not known of an activity. */
export interface IncompleteRule {
  rule: Rule;
  /** What is not known, as texts for people such as `member $.birthDate`. */
  missing: readonly string[];
  /** Whether other rules fire depends on it, so that without it nothing of the activity can be told. */
  isDecisive: boolean;
}

/**
 * The rules as an activity of the past can be evaluated by them. A rule that looks at something unknown is replaced by a
 * probe: it has only those of its conditions that are known, and does nothing. When the probe does not fire, the rule
 * would certainly not have fired.
 */
export interface EvaluableRules {
  rules: RuleSet;
  /** By key of the rule; probes that fire stand here. */
  incomplete: ReadonlyMap<string, IncompleteRule>;
}

/** What a rule looks at and its history may not have kept. */
interface Uncertain {
  ref: FactRef;
  text: string;
}

/** The rules of one program and activity type with what they look at. */
interface Asked {
  rules: readonly Rule[];
  uncertain: readonly Uncertain[];
  known: Map<string, EvaluableRules>;
}

/** Gives the rules that an activity can be evaluated by; those of the same known facts are made and compiled once. */
export function evaluableRules(
  set: RuleSet,
): (program: ObjectId, type: string, facts: RecalledFacts) => EvaluableRules {
  const byPlace = new Map<string, Asked>();
  return (program, type, facts) => {
    const place = `${program.toHexString()} ${type}`;
    const asked = byPlace.get(place) ?? askedBy(set.forActivity(program, type).rules);
    byPlace.set(place, asked);
    let signature = '';
    for (const { ref } of asked.uncertain) signature += facts.knows(ref) ? '1' : '0';
    const made = asked.known.get(signature) ?? make(asked, signature);
    if (asked.known.size >= signaturesMax) asked.known.clear();
    asked.known.set(signature, made);
    return made;
  };
}

/** Each keeps a compiled rule set. */
const signaturesMax = 20;

function askedBy(rules: readonly Rule[]): Asked {
  const uncertain = new Map(rules.flatMap(refsOf).map((ref) => [refKey(ref), { ref, text: textOf(ref) }]));
  return { rules, uncertain: [...uncertain.values()], known: new Map() };
}

function make({ rules, uncertain }: Asked, signature: string): EvaluableRules {
  const unknown = new Map(uncertain.flatMap(({ ref, text }, n) => (signature[n] === '0' ? [[refKey(ref), text]] : [])));
  const incomplete = new Map<string, IncompleteRule>();
  const evaluable = rules.map((rule) => {
    const missing = missingOf(rule, unknown);
    if (missing.length === 0) return rule;
    incomplete.set(rule.key, { rule, missing, isDecisive: isDecisive(rule) });
    return probeOf(rule, unknown);
  });
  return { rules: indexRules(evaluable), incomplete };
}

function missingOf(rule: Rule, unknown: ReadonlyMap<string, string>): string[] {
  const facts = refsOf(rule).flatMap((ref) => unknown.get(refKey(ref)) ?? []);
  return [...new Set([...facts, ...listsOf(rule.conditions)])];
}

/** Facts of conditions, amounts, and of the fields `segments` and `tiers`. */
function refsOf(rule: Rule): FactRef[] {
  return [
    ...conditionReads(rule.conditions),
    ...rule.actions.flatMap(actionReads),
    ...(rule.segments ? [segmentsRef] : []),
    ...(rule.tiers ? [tierRef] : []),
  ];
}

const segmentsRef: FactRef = { fact: 'member', path: '$.segments' };
const tierRef: FactRef = { fact: 'member', path: '$.tier' };

/** What a named list held is never kept. */
function listsOf(condition: Condition): string[] {
  return comparisonsOf(condition).flatMap(({ operator, value }) =>
    operator.endsWith('inNamedList') ? listNames(value).map((name) => `named list ${name}`) : [],
  );
}

function textOf(ref: FactRef): string {
  return ref.params === undefined ? refText(ref) : `${refText(ref)} ${JSON.stringify(ref.params)}`;
}

function isDecisive({ stop, group, actions, limits = [] }: Rule): boolean {
  const rejects = actions.some(({ type }) => type === 'reject') || limits.some(({ onExceed }) => onExceed === 'reject');
  return stop === true || group !== undefined || rejects;
}

function probeOf(rule: Rule, unknown: ReadonlyMap<string, string>): Rule {
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

/** Conditions that all must hold. */
function necessary(condition: Condition): readonly Condition[] {
  return 'all' in condition ? condition.all : [condition];
}

function isEvaluable(condition: Condition, isKnown: (ref: FactRef) => boolean): boolean {
  return conditionReads(condition).every(isKnown) && listsOf(condition).length === 0;
}
