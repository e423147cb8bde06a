import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import type { FactFrame } from './factFrame';
import type { RuleLevel } from './ruleSet';

/** A rule whose conditions hold, or, with `error`, could not be evaluated. */
export interface ConditionHit {
  readonly rule: Rule;
  readonly error?: string;
}

/** What came of the conditions of a level's rules. */
export interface LevelOutcome {
  /** In rule order; the conditions of all other rules do not hold. */
  readonly hits: readonly ConditionHit[];
  /** The first comparison that made the conditions of a rule fail that is not among the hits. */
  failedCondition(rule: Rule): FailedCondition | undefined;
}

/** Evaluates the conditions of all rules of a level. */
export type EvaluateLevel = (level: RuleLevel, frame: FactFrame) => LevelOutcome | Promise<LevelOutcome>;

/** Decides whether the conditions of rules hold. */
export interface Evaluator {
  /** What evaluates the levels of one activity. */
  forActivity(): EvaluateLevel;
}
