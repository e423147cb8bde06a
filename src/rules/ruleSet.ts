import type { ObjectId } from 'bson';
import type { FactRef } from './factRef';
import type { Rule } from './rule';

/** Rules of one priority, in rule order, with the facts that they look at. */
export interface RuleLevel {
  readonly priority: number;
  readonly rules: readonly Rule[];
  readonly reads: readonly FactRef[];
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
