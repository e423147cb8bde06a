import type { ObjectId } from 'bson';
import type { Activity } from '../../records/activities/activity';
import type { DecideProgram } from '../decide/decideInput';
import type { SnapshotFact } from '../explain/factSnapshot';
import type { Enriched } from '../format/enriched';

/** The change of one purse by a rule. Awarded points are positive, redeemed points are negative. */
export interface PurseChange {
  purse: string;
  points: number;
}

/** An amount that the activity added to the counter of a limit or budget. */
export interface PastUse {
  id: ObjectId;
  amount: number;
}

/** What a rule changed when the activity was processed. */
export interface PastAward {
  key: string;
  changes: readonly PurseChange[];
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
}
