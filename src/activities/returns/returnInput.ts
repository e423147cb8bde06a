import type { ObjectId } from 'bson';
import type { ActivityHistory, StoredEffects } from '../../records/activities/activityHistory';
import type { CounterUse } from '../../rules/language/decision';
import type { ActivityChanges } from '../state/activityChanges';
import type { CancelledActivity } from './requireOriginal';
import type { ReturnScope } from './returnScopeOf';
import type { MovementPart } from './ruleMovement';

/** What giving back did: the target's effects as they stand now, and what is told about it. */
export interface ReturnOutcome {
  effects: StoredEffects;
  lines: readonly object[];
  /** What it takes from the counters of limits, budgets and coupons. */
  uses: Pick<CounterUse, 'id' | 'amount'>[];
  /** Activities cancelled before, of which more came back now, before and after. */
  issuers: readonly { before: ActivityHistory; after: ActivityHistory }[];
}

/** What is given back, where: `ruled` works on the members, this one and others. */
export type ReturnInput = CancelledActivity & {
  changes: ActivityChanges;
  part: ReturnScope;
  /** Of each effect, how many points are back then. */
  totals: ReadonlyMap<MovementPart, number>;
};

/** Of what paid for an issued reward: that it stays paid. */
export type IsPaid = (effect: { issued?: ObjectId }) => boolean;
