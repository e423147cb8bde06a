import type { ObjectId } from 'bson';
import type { ProcessingError } from '../../records/activities/activityHistory';
import type { EscrowTerms, ExpiryTerms } from '../../records/points/terms';

/** The rule that an effect comes of. */
export interface ActingRule {
  readonly _id: ObjectId;
  readonly key: string;
  readonly version: number;
  /** It acts for each line item. */
  readonly perLine?: boolean | undefined;
}

/** Why something cannot be done: then the whole activity fails. */
export type Refusal = ProcessingError | undefined;

/** `type` is the name of the action, as the log shows it; `n` its position, which tells several awards of a rule apart. */
interface Placed {
  type: string;
  n: number;
}

/** Points that a rule awards. */
export interface Award extends Placed {
  purse: string;
  /** At least 1. */
  points: number;
  escrow?: EscrowTerms;
  expiry?: ExpiryTerms;
}

/** Points that a rule burns. */
export interface Redemption extends Placed {
  purse: string;
  /** At least 1. */
  points: number;
}

/** Points that a rule moves to another purse of the member, or to another member. */
export interface Transfer extends Placed {
  purse: string;
  /** At least 1. */
  points: number;
  toPurse?: string;
  /** The other member; empty when the activity names none. */
  toLoyaltyID?: string;
}

/** Points for both members of a referral, each 0 or more. */
export interface ReferralAward extends Placed {
  purse: string;
  points: number;
  referrerPoints: number;
}

/** What a rule adds to a metric; may be negative, never 0. */
export interface MetricChange {
  type: string;
  metric: string;
  value: number;
  expires?: { value: number; unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' };
}

/** The level of a tier policy that a rule puts the member at. */
export interface LevelChange {
  type: string;
  /** Name of the tier policy. */
  policy: string;
  /** Name of the level. */
  level: string;
}

/** Extension fields that a rule sets; later values win. */
export interface ExtChange {
  type: string;
  on: 'member' | 'activity';
  values: Readonly<Record<string, unknown>>;
}

/**
 * What actions can do to a member, to an activity and to its result: to a ledger in the pipeline, to plain balances in
 * rule tests, to sums in simulations. What is done by these is given back by a cancellation as it should be.
 */
export interface ActionTarget {
  awardPoints(award: Award, rule: ActingRule): Refusal;
  /** Refused with 2100 when the purse does not cover the points. */
  redeemPoints(redemption: Redemption, rule: ActingRule): Refusal;
  /** Refused with 2100 when the purse does not cover the points, with 2200 when nobody can receive them. */
  transferPoints(transfer: Transfer, rule: ActingRule): Refusal;
  /** Awards once for each member that was referred, and is passed over otherwise. */
  completeReferral(award: ReferralAward, rule: ActingRule): Refusal;
  addMetric(change: MetricChange, rule: ActingRule): Refusal;
  setTier(change: LevelChange, rule: ActingRule): Refusal;
  /** Puts the member into a static segment, or takes it out. */
  changeSegment(change: { type: string; segment: string; isIn: boolean }, rule: ActingRule): Refusal;
  setExt(change: ExtChange, rule: ActingRule): Refusal;
  /** Sets fields of `result.data`; later values win. */
  setData(change: { type: string; values: Readonly<Record<string, unknown>> }, rule: ActingRule): Refusal;
  /** Puts the products into the line items. */
  lookupProducts(effect: { type: string }, rule: ActingRule): Refusal;
  /** Gives the member a code of a reward for its cost; refused with 2100 when the purse does not cover it. */
  issueReward(effect: Placed & { reward: string }, rule: ActingRule): Refusal;
  /** Applies an offer, when all rules are through. */
  applyOffer(effect: { type: string; offer: string }, rule: ActingRule): Refusal;
  /** Writes a line into `result.log`. */
  log(effect: { type: string; message: string }, rule: ActingRule): Refusal;
}
