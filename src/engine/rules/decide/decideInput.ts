import type { ObjectId } from 'bson';
import type { Activity } from '#records/activities/activity';
import type { ProcessingError } from '#records/activities/activityHistory';
import type { Effect } from '../actions/list';
import type { Evaluator } from '../evaluate/evaluator';
import type { ResolvedLists } from '../evaluate/resolvedLists';
import type { RuleSet } from '../evaluate/ruleSet';
import type { Enriched } from '../format/enriched';
import type { CounterOwner } from '../format/limits';
import type { Rule } from '../format/rule';
import type { WindowUse } from '../format/windowUses';
import type { MetricSum } from '../language/factParams';
import type { ReadFact } from '../language/factRef';

/** The state to which effects are applied: the pipeline's activity changes, or a simple balance model in rule tests. */
export interface EffectTarget {
  /** Applies an effect. Returns an error (such as 2100) if that is impossible; then the activity fails. */
  apply(effect: Effect, rule: Rule): ProcessingError | undefined;
  /** An action has added the products to the line items. */
  readonly hasProducts: boolean;
  /** Extension fields of the activity, when an action set some. */
  readonly activityExt?: Record<string, unknown> | undefined;
  /** The present fact `member`; a new object after every change. Called at most once for each priority level. */
  memberFacts(): Readonly<Record<string, unknown>>;
  /** The member's metric in the period of the activity's date, including what this activity has added so far. */
  metric(sum: MetricSum): number;
  /** The same without what this activity has added. */
  metricBefore(sum: MetricSum): number;
  /** The date of the member's latest earlier Accrual, at or before the activity's date. */
  lastVisit(): Date | undefined;
}

/** The program of an activity as rules see it. */
export interface DecideProgram {
  readonly _id: ObjectId;
  readonly code: string;
  readonly name?: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Makes a reader of facts that returns values of the past where they are known, in place of the live values. */
export type FactSource = (live: ReadFact, at: { priority: number; line?: number | undefined }) => ReadFact;

/** Everything on which a decision depends; nothing else is read. */
export interface DecideInput {
  rules: RuleSet;
  activity: Activity;
  memberId: ObjectId;
  program: DecideProgram;
  /** The records to which the activity refers. */
  enriched: Enriched;
  lists: ResolvedLists;
  now: Date;
  /** The used amount of each counter of `counterKeys`, by hexadecimal counter id; absent means 0. */
  usage: ReadonlyMap<string, number>;
  /** The uses of each counter of a limit by a window, by hexadecimal counter id; absent means none. */
  windows?: ReadonlyMap<string, readonly WindowUse[]> | undefined | undefined;
  /** What limits depend on beside the member: its account, and the coupons of the activity. */
  subjects?: Pick<CounterOwner, 'account' | 'couponId'> | undefined;
  evaluator: Evaluator;
  target: EffectTarget;
  /** Only when an activity of the past is decided again. */
  recall?: FactSource;
}
