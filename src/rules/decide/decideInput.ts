import type { ObjectId } from 'bson';
import type { PeriodUnit } from '../../calendar/periods';
import type { Activity } from '../../records/activities/activity';
import type { ProcessingError } from '../../records/activities/activityHistory';
import type { Effect } from '../actions/list';
import type { Evaluator } from '../evaluate/evaluator';
import type { ResolvedLists } from '../evaluate/resolvedLists';
import type { RuleSet } from '../evaluate/ruleSet';
import type { Enriched } from '../format/enriched';
import type { Rule } from '../format/rule';
import type { ReadFact } from '../language/factRef';

/** The working state that effects go to; the pipeline's ledger, or a simple balance model in rule tests. */
export interface EffectTarget {
  /** Changes the working state, or answers why it cannot (such as 2100); then the activity fails. */
  apply(effect: Effect, rule: Rule): ProcessingError | undefined;
  /** An action put the products into the line items. */
  readonly hasProducts: boolean;
  /** Extension fields of the activity, when an action set some. */
  readonly activityExt?: Record<string, unknown> | undefined;
  /** The fact `member` as it is now; a new object whenever something changed. Called at most once per priority level. */
  memberFacts(): Readonly<Record<string, unknown>>;
  /** The member's metric in the period of the activity's date, with what this activity adds to it so far. */
  metric(name: string, period: PeriodUnit): number;
}

/** The program of an activity as rules see it. */
export interface DecideProgram {
  readonly _id: ObjectId;
  readonly code: string;
  readonly name?: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Makes a reader of facts that gives what is known of the past in place of what the live reader would give. */
export type FactSource = (live: ReadFact, at: { priority: number; line?: number | undefined }) => ReadFact;

/** Everything a decision depends on; nothing else is read. */
export interface DecideInput {
  rules: RuleSet;
  activity: Activity;
  memberId: ObjectId;
  program: DecideProgram;
  /** What the activity refers to. */
  enriched: Enriched;
  lists: ResolvedLists;
  now: Date;
  /** What each counter of `counterKeys` has used so far, by its id in hexadecimal; absent means 0. */
  usage: ReadonlyMap<string, number>;
  evaluator: Evaluator;
  target: EffectTarget;
  /** For an activity of the past that is decided again. */
  recall?: FactSource;
}
