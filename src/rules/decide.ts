import type { ObjectId } from 'bson';
import type { Activity } from '../activities/activity';
import type { ProcessingError } from '../activities/activityHistory';
import type { Decision } from './decision';
import type { Effect } from './effect';
import type { Evaluator } from './evaluate';
import type { Rule } from './rule';
import type { RuleSet } from './ruleSet';

/** The working state that effects go to; the pipeline's ledger, or a simple balance model in rule tests. */
export interface EffectTarget {
  /** Changes the working state, or answers why it cannot (such as 2100); then the activity fails. */
  apply(effect: Effect, rule: Rule): ProcessingError | undefined;
  /** The fact `member` as it is now; a new object whenever something changed. Called once per priority level. */
  memberFacts(): Readonly<Record<string, unknown>>;
}

/** The program of an activity as rules see it. */
export interface DecideProgram {
  readonly _id: ObjectId;
  readonly code: string;
  readonly name?: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Everything a decision depends on; nothing else is read. */
export interface DecideInput {
  rules: RuleSet;
  activity: Activity;
  memberId: ObjectId;
  program: DecideProgram;
  now: Date;
  /** What each counter of `counterKeys` has used so far, by its id in hexadecimal; absent means 0. */
  usage: ReadonlyMap<string, number>;
  evaluator: Evaluator;
  target: EffectTarget;
}

/** Evaluates the rules of an activity and hands their effects to the target, level by level (DESIGN 8). */
export async function decide(_input: DecideInput): Promise<Decision> {
  return { ruleMatch: [], errors: [], usage: [], factsRead: [] };
}
