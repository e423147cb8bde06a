import { localTime } from '#base/calendar/localCalendar';
import { noLineItems } from '../decide/decisionState';
import { eligibilityRefs, type Ineligible, ineligible } from '../decide/priorityGroup';
import { compileComparison } from '../evaluate/compileComparison';
import { compileRoot, prioritized } from '../evaluate/compileCondition';
import { priorityLevel } from '../evaluate/ruleSet';
import type { Rule } from '../format/rule';
import { clockTimezone } from '../language/clock';
import type { Comparison } from '../language/condition';
import type { FailedCondition, RuleMatch } from '../language/decision';
import { operators } from '../language/operators';
import { conditionDistance, totalDistance } from './distance';
import { english } from './english';
import { nearestFix } from './nearestFix';
import type { PastFacts } from './pastFacts';
import type { Phrasebook } from './phrasebook';

/** Whether a rule fired for a past activity, and why not. */
export interface RuleReason extends RuleMatch {
  /** In words: the conditions that cannot be evaluated, since the snapshot lacks their values. */
  notKept?: string[];
  /** When the conditions failed: the smallest set of conditions that would have to change for the rule to fire. */
  lacking?: UnmetConditions;
}

interface UnmetConditions {
  /** Number of conditions, with those that cannot be evaluated. */
  count: number;
  failed: FailedCondition[];
}

/** A past activity: its facts, and the stored entries of `ruleMatch`. */
export interface ExplainedActivity {
  date: Date;
  /** The schedule of an occasion that the calendar brought. */
  schedule?: string | undefined;
  facts: PastFacts;
  /** The location, as the history has it. */
  location?: unknown;
  lineItems: number;
  /** The stored entries of the rules that fired or were cut, by rule key. */
  stored: ReadonlyMap<string, RuleMatch>;
}

/**
 * Says for each rule whether it fired, and why not. A rule that fired or was cut has a stored entry. Every other rule
 * did not fire; the reason is computed from the fact snapshot.
 */
export function ruleReasons(
  rules: readonly Rule[],
  past: ExplainedActivity,
  phrasebook: Phrasebook = english,
): RuleReason[] {
  return rules.map((rule) => past.stored.get(rule.key) ?? missed(rule, past, phrasebook));
}

function missed(rule: Rule, past: ExplainedActivity, phrasebook: Phrasebook): RuleReason {
  const head = { rule: rule._id, key: rule.key, name: rule.name, version: rule.version, fired: false };
  const why = known(() => ({ ineligible: findIneligibility(rule, past) }));
  if (!why) return { ...head, notKept: [phrasebook.audience(rule)] };
  if (why.ineligible?.reason === 'notEffective') return { ...head, reason: 'notEffective' };
  const { failedCondition, notKept, lacking } = judgeConditions(rule, past, phrasebook);
  const shown = why.ineligible ? why.ineligible.failedCondition : failedCondition;
  return {
    ...head,
    reason: 'conditionFailed',
    ...(shown && { failedCondition: shown }),
    ...(!shown && notKept.length > 0 && { notKept }),
    ...(lacking && { lacking: withAudience(lacking, rule, past) }),
  };
}

function findIneligibility(rule: Rule, { date, schedule, facts, location }: ExplainedActivity): Ineligible | undefined {
  const { segments, tiers, timezone } = eligibilityRefs;
  const { priority } = rule;
  return ineligible(rule, {
    date,
    schedule,
    local: (clock) =>
      localTime(date, clockTimezone(clock, { timezone: String(facts.read(timezone, priority)) }, location)),
    member: () => ({
      ...(rule.segments && { segments: facts.read(segments, priority) }),
      ...(rule.tiers && { tier: facts.read(tiers, priority) }),
    }),
  });
}

/** Adds the unmet segments and tiers of the rule. */
function withAudience({ count, failed }: UnmetConditions, rule: Rule, past: ExplainedActivity): UnmetConditions {
  const { segments, tiers, ...others } = rule;
  const parts: Rule[] = [...(segments ? [{ ...others, segments }] : []), ...(tiers ? [{ ...others, tiers }] : [])];
  const missing = parts.flatMap((part) => known(() => findIneligibility(part, past))?.failedCondition ?? []);
  return { count: count + missing.length, failed: [...missing, ...failed] };
}

interface Conditions {
  failedCondition?: FailedCondition | undefined;
  /** In words: the conditions that cannot be evaluated. */
  notKept: string[];
  /** Undefined when the conditions can never hold. */
  lacking?: UnmetConditions | undefined;
}

/** For a rule with `perLine`: the failure of the first line item, and what the line item nearest to firing lacks. */
function judgeConditions(rule: Rule, past: ExplainedActivity, phrasebook: Phrasebook): Conditions {
  if (!rule.perLine) return judged(rule, past.facts, phrasebook);
  if (past.lineItems === 0) {
    return { failedCondition: noLineItems, notKept: [], lacking: { count: 1, failed: [noLineItems] } };
  }
  const lines = Array.from({ length: past.lineItems }, (_, line) => judged(rule, past.facts, phrasebook, line));
  const possible = lines.flatMap(({ lacking }) => lacking ?? []);
  const lacking = possible.reduce<UnmetConditions | undefined>(
    (best, each) => (best && totalDistance(best) <= totalDistance(each) ? best : each),
    undefined,
  );
  return { failedCondition: lines[0]?.failedCondition, notKept: lines[0]?.notKept ?? [], lacking };
}

function judged(rule: Rule, facts: PastFacts, phrasebook: Phrasebook, line?: number): Conditions {
  const { priority, conditions } = rule;
  const slots = priorityLevel(priority, [rule]).facts;
  const frame = facts.frame(slots, priority, line);
  const compiled = (comparison: Comparison) => compileComparison(comparison, slots, operators);
  const lack = nearestFix(conditions, {
    holds: (comparison) => known(() => compiled(comparison).test(frame)),
    gap(comparison, isTrue) {
      const failed = isTrue === undefined ? undefined : known(() => compiled(comparison).explain(frame, isTrue));
      return failed ? conditionDistance(failed) : 1;
    },
  });
  const failed = (lack ?? []).flatMap(({ comparison, isTrue }) =>
    isTrue === undefined ? [] : (known(() => compiled(comparison).explain(frame, isTrue)) ?? []),
  );
  const first = known(() => compileRoot(conditions, slots, { operators, prioritized }).explain(frame, false));
  return {
    failedCondition: first ?? failed[0],
    notKept: (lack ?? []).flatMap(({ comparison, isTrue }) =>
      isTrue === undefined ? [phrasebook.comparison(comparison)] : [],
    ),
    lacking: lack && { count: lack.length, failed },
  };
}

/** The result of a computation; undefined when it throws: the snapshot lacks a value, or a value does not fit. */
function known<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
