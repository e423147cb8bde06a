import type { ObjectId } from 'bson';
import type { ProcessingError } from '#records/activities/activityHistory';
import type { FactRef } from './factRef';

/** Why a rule did not fire. With `fired` true: why it gave fewer points than it wanted. */
export type MatchReason =
  | 'notEffective'
  | 'conditionFailed'
  | 'limitReached'
  | 'budgetEmpty'
  | 'stopped'
  | 'groupLost'
  | 'error';

/** The first comparison that was false: the expected value and the actual value of the fact. */
export interface FailedCondition {
  fact: string;
  path?: string;
  operator: string;
  expected: unknown;
  actual: unknown;
}

/** The outcome of one rule for an activity (docs/design/rulesets.md). */
export interface RuleMatch {
  rule: ObjectId;
  key: string;
  name: string;
  version: number;
  fired: boolean;
  reason?: MatchReason;
  failedCondition?: FailedCondition;
  /** Points before limits and budget; absent when the rule moves no points or was not evaluated. */
  desired?: number;
  /** Points after limits and budget. */
  granted?: number;
}

/** What an activity adds to the counter of a limit or budget; `max` is never exceeded. */
export interface CounterUse {
  id: ObjectId;
  what: 'points' | 'times' | 'amount';
  amount: number;
  max: number;
  /** The rule that used it, the position of the limit among its limits, and the line items when it counts by them. */
  by?: { rule: ObjectId; limit: number; lines?: readonly number[] };
  /** Only for a limit by a window: the place of the use in time, and the counter after this one. */
  window?: { at: number; after: ObjectId };
}

/** The value of a fact as a priority level read it; also valid for lower priorities until the next value. */
export interface FactRead extends FactRef {
  /** Position of the line item, for a fact of a line item. */
  line?: number;
  priority: number;
  value: unknown;
}

/** An error of a decision: 2400, 2110 and 2900 have the key of the rule; other errors come from the effect target. */
export type RuleError = ProcessingError & { rule?: string };

/** What the rules decided about an activity. If `errors` is not empty, nothing of it takes effect. */
export interface Decision {
  /** Every rule of the activity's type, in rule order; computed at first use. */
  readonly ruleMatch: RuleMatch[];
  /** The rules that fired or were cut (limit, budget, group, stop, error), in rule order; stored in the history. */
  readonly kept: RuleMatch[];
  errors: RuleError[];
  /** Increments of counters to commit; empty when the activity failed. */
  usage: CounterUse[];
  /** The values that conditions, amounts and eligibility read, except values that are in the history anyway. */
  readonly factsRead: FactRead[];
  /** The rule that fired last. */
  lastFired?: { rule: ObjectId; key: string; name: string; version: number } | undefined;
}
