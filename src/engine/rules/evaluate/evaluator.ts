import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import type { FactFrame } from './factFrame';
import type { PriorityLevel } from './ruleSet';

/** A rule whose conditions are true, or, with `error`, whose conditions could not be evaluated. */
export interface ConditionHit {
  readonly rule: Rule;
  readonly error?: string;
}

/** The outcome of the conditions of a level's rules. */
export interface LevelOutcome {
  /** In rule order; the conditions of all other rules are false. */
  readonly hits: readonly ConditionHit[];
  /** The first comparison that made the conditions of a rule false; only for rules that are not hits. */
  failedCondition(rule: Rule): FailedCondition | undefined;
}

/** Evaluates the conditions of all rules of a level. */
export type EvaluateLevel = (level: PriorityLevel, frame: FactFrame) => LevelOutcome | Promise<LevelOutcome>;

/** Decides whether the conditions of rules are true. */
export interface Evaluator {
  /** Returns the function that evaluates the levels of one activity. */
  forActivity(): EvaluateLevel;
}
