import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import type { CounterChange } from '#activities/state/planBuilder';
import type { ActivityHistory, StoredEffects } from '#records/activities/activityHistory';
import type { ReturnModes } from './decideReturnModes';
import type { ReturnScope } from './decideReturnScope';
import type { CancelledActivity } from './requireOriginal';
import type { MovementPart } from './ruleMovements';

/** The outcome of a return: the original's effects after it, and lines for the log. */
export interface ReturnOutcome {
  effects: StoredEffects;
  lines: readonly object[];
  /** Amounts to add to the counters of limits, budgets and coupons; negative, because uses are returned. */
  uses: CounterChange[];
  /** Activities that were cancelled before and whose reward costs are returned now: histories before and after. */
  issuers: readonly { before: ActivityHistory; after: ActivityHistory }[];
}

/** The input of a return. `changes` collects the changes of all members. */
export type ReturnInput = CancelledActivity & {
  changes: ActivityChanges;
  part: ReturnScope;
  /** For each effect, the points returned in all, this return included. */
  totals: ReadonlyMap<MovementPart, number>;
  /** How each award is treated; undefined when all is returned. */
  returnModeOf: ReturnModes | undefined;
};

/** Tells whether an effect paid for an issued reward and is not returned now. */
export type IsKeptCost = (effect: { issued?: ObjectId }) => boolean;
