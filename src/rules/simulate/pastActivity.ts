import type { ObjectId } from 'bson';
import type { Activity } from '../../records/activities/activity';
import type { DecideProgram } from '../decide/decideInput';
import type { KeptRead } from '../explain/keptValues';
import type { Enriched } from '../format/enriched';

/** What a rule that fired changed in one purse: positive what it awarded, negative what it took. */
export interface PurseChange {
  purse: string;
  points: number;
}

/** What was added to the counter of a limit or budget. */
export interface PastUse {
  id: ObjectId;
  amount: number;
}

/** What a rule did when the activity was processed. */
export interface PastAward {
  key: string;
  changes: readonly PurseChange[];
}

/** A processed activity with everything that deciding it again may look at. */
export interface PastActivity {
  activity: Activity;
  memberId: ObjectId;
  program: DecideProgram;
  /** When it was processed. */
  now: Date;
  /** The location, the partner and the products that its history holds. */
  enriched: Enriched;
  /** The facts that its rules read, as far as its history keeps them. */
  facts: readonly KeptRead[];
  /** Every rule that fired; none of an activity that failed. */
  awards: readonly PastAward[];
  /** What it added to counters of limits and budgets. */
  usage: readonly PastUse[];
}
