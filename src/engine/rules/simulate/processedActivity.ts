import type { ObjectId } from 'bson';
import type { Activity } from '#records/activities/activity';
import type { DecideInput, DecideProgram } from '../decide/decideInput';
import type { SnapshotFact } from '../explain/factSnapshot';
import type { Enriched } from '../format/enriched';
import type { CounterUse } from '../language/decision';

/** A change of one purse. Added points are positive, taken points are negative. */
export interface PurseChange {
  purse: string;
  points: number;
  /** The part of `points` that is not returned. Absent: all of them. */
  kept?: number;
  /** The member whose purse it is, when it is not the activity's member. */
  member?: ObjectId;
}

/** The points of a change that are not returned. */
export function keptPoints({ points, kept = points }: PurseChange): number {
  return kept;
}

/** An amount that the activity added to the counter of a limit or budget. */
export interface PastUse {
  id: ObjectId;
  what: CounterUse['what'];
  amount: number;
  /** The part of `amount` that cancellations returned. */
  returned?: number;
  /** The rule with the limit; absent when its counters are found by the rule. */
  rule?: ObjectId | undefined;
  /** Only for a limit by a window: the place of the use in time. */
  window?: { at: number };
}

/** A past cancellation. */
export interface PastCancellation {
  /** The cancelled activity, by hexadecimal id. */
  original: string;
  /** The value that it returned, in minor units. */
  value: number;
  /** What it gave back of each use. Undefined when its history does not say so. */
  usesGivenBack?: readonly Pick<PastUse, 'id' | 'rule' | 'amount'>[] | undefined;
}

/** What a rule changed when the activity was processed. */
export interface PastAward {
  key: string;
  changes: readonly PurseChange[];
}

/** An offer or reward that was applied, with its points. */
export interface PastCoupon {
  code: string;
  /** The rule that applied it; undefined when the activity named it itself. */
  rule: string | undefined;
  changes: readonly PurseChange[];
}

/** The returned parts of an activity so far. */
export interface ReturnedOfActivity {
  /** Returned value, in minor units. */
  value: number;
  /** The part of `value` that was returned without naming line items. It scales the amounts of the remaining items. */
  byValue: number;
  /** Returned quantity and value of each line item. */
  lines: readonly { readonly quantity: number; readonly value: number }[];
}

/** How much of an activity was returned since. */
export interface PastReturn extends ReturnedOfActivity {
  /** Everything was returned: the activity is cancelled. */
  isWhole: boolean;
  /** A return named line items. */
  namesLines: boolean;
}

/**
 * What is known only from the day, because it depends on more than the rules: what offers gave, what rewards cost, and
 * whether a referral could be completed.
 */
export interface PastOutcome {
  coupons: readonly PastCoupon[];
  /** Codes of offers, and of rewards, that the original rules applied, whether or not these could be used. */
  offers: ReadonlySet<string>;
  rewards: ReadonlySet<string>;
  /** The changes for the cost of each reward that was issued, by code. */
  costs: ReadonlyMap<string, readonly PurseChange[]>;
  /** The referral that was completed; `none` when an original rule tried in vain; undefined when no rule tried. */
  referral?: { referrer: ObjectId } | 'none' | undefined;
  /** The head of the family that got shares; `none` when original rules shared in vain; undefined when none shared. */
  familyHead?: ObjectId | 'none' | undefined;
  /** The other member who received points by a transfer. */
  receiver?: ObjectId | undefined;
}

/** A processed activity, with everything that deciding it again needs. */
export interface ProcessedActivity {
  activity: Activity;
  memberId: ObjectId;
  program: DecideProgram;
  /** The time of processing. */
  now: Date;
  /** The location, the partner and the products from the history. */
  enriched: Enriched;
  /** The fact snapshot: values that the rules read, as far as the history has them. */
  facts: readonly SnapshotFact[];
  /** One entry for every rule that fired; empty when the activity failed. */
  awards: readonly PastAward[];
  /** The amounts added to counters of limits and budgets. */
  usage: readonly PastUse[];
  outcome: PastOutcome;
  /** What limits counted by on the day, beside the member. */
  subjects?: DecideInput['subjects'];
  /** Undefined when nothing was returned. */
  returned?: PastReturn | undefined;
}

/** The outcome of an activity without offers, rewards, referrals and transfers. */
export const plainOutcome: PastOutcome = {
  coupons: [],
  offers: new Set(),
  rewards: new Set(),
  costs: new Map(),
};
