import type { ObjectId } from 'bson';
import type { ProcessingError } from '../../records/activities/activityHistory';
import type { FactRef } from './factRef';

/** Why a rule did not fire, or gave less than it wanted (then `fired` is true). */
export type MatchReason =
  | 'notEffective'
  | 'conditionFailed'
  | 'limitReached'
  | 'budgetEmpty'
  | 'stopped'
  | 'groupLost'
  | 'error';

/** The first comparison that did not hold: what was expected and what the fact was. */
export interface FailedCondition {
  fact: string;
  path?: string;
  operator: string;
  expected: unknown;
  actual: unknown;
}

/** What became of one rule (docs/design/rulesets.md). */
export interface RuleMatch {
  rule: ObjectId;
  key: string;
  name: string;
  version: number;
  fired: boolean;
  reason?: MatchReason;
  failedCondition?: FailedCondition;
  /** Points the rule wanted to give, before limits and budget; absent when it moves none or was not reached. */
  desired?: number;
  /** Points it gave. */
  granted?: number;
}

/** What an activity adds to the counter of a limit or budget; `max` is never exceeded. */
export interface CounterUse {
  id: ObjectId;
  what: 'points' | 'times';
  amount: number;
  max: number;
}

/** A fact as read for one priority level and, until it changes, for those below. */
export interface FactRead extends FactRef {
  /** Position of the line item that it is of. */
  line?: number;
  priority: number;
  value: unknown;
}

/** A processing error of the rules: 2400, 2110, 2900 name the rule by its key; others are the target's. */
export type RuleError = ProcessingError & { rule?: string };

/** What the rules decided about an activity; when `errors` is not empty nothing of it takes effect. */
export interface Decision {
  /** Every rule of the activity's type, in rule order; worked out when first asked for. */
  readonly ruleMatch: RuleMatch[];
  /** Those that fired or were cut (limit, budget, group, stop, error), in rule order: what a history keeps. */
  readonly kept: RuleMatch[];
  errors: RuleError[];
  /** Increments of counters to commit; empty when the activity failed. */
  usage: CounterUse[];
  /** Values that conditions, amounts and eligibility look at, but for those that the history holds. */
  readonly factsRead: FactRead[];
  /** The rule that fired last. */
  lastFired?: { rule: ObjectId; key: string; name: string; version: number } | undefined;
}
