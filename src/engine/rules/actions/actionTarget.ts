import type { ObjectId } from 'bson';
import type { ProcessingError } from '#records/activities/activityHistory';
import type { ExpiryTerms } from '#records/points/expiry/expiryTerms';
import type { EscrowTerms, SnappedDuration, TierTerm } from '#records/points/terms';

/** The share of an award for the head of the family: above 0, at most 1. */
export interface PoolShare {
  share: number;
}

/** The rule that caused an effect. */
export interface ActingRule {
  readonly _id: ObjectId;
  readonly key: string;
  readonly version: number;
  /** The rule fires for each line item. */
  readonly perLine?: boolean | undefined;
}

/** Why an effect cannot be applied; undefined when it was applied. A refusal fails the whole activity. */
export type Refusal = ProcessingError | undefined;

/** The action of an effect: its name, as the log shows it, and its position, which separates awards of one rule. */
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
  /** The share of the points for the head of the member's family. */
  pool?: PoolShare;
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
  /** Loyalty id of the other member; an empty string when the activity names none. */
  toLoyaltyID?: string;
}

/** Points for both members of a referral, each 0 or more. */
export interface ReferralAward extends Placed {
  purse: string;
  points: number;
  referrerPoints: number;
}

/** A choice of rewards for the member: their codes. */
export interface IssuedChoice extends Placed {
  rewards: readonly string[];
  /** One of them, which may be taken without a choice. */
  default?: string;
  validFor?: SnappedDuration;
}

/** A change of a metric by a rule. The value may be negative; it is never 0. */
export interface MetricChange {
  type: string;
  metric: string;
  value: number;
  expires?: { value: number; unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' };
}

/** The level that a rule sets for the member in a tier policy. */
export interface LevelChange {
  type: string;
  /** Name of the tier policy. */
  policy: string;
  /** Name of the level. */
  level: string;
  /** The last day of a level for a time, YYYY-MM-DD in the program's time zone. */
  until?: string;
  /** How long a level for a time lasts, from the activity's date. */
  for?: TierTerm;
  /** The challenge of a level for a time. */
  keep?: { readonly metric: string; readonly atLeast: number };
}

/** Extension fields that a rule sets; later values win. */
export interface ExtChange {
  type: string;
  on: 'member' | 'activity';
  values: Readonly<Record<string, unknown>>;
}

/**
 * What actions can change: a member, an activity and its result. The pipeline changes a ledger, rule tests change plain
 * balances, and simulations add up sums. A cancellation returns the changes as `onCancel` of each action says.
 */
export interface ActionTarget {
  awardPoints(award: Award, rule: ActingRule): Refusal;
  /** Refused with 2100 when the purse does not cover the points. */
  redeemPoints(redemption: Redemption, rule: ActingRule): Refusal;
  /** Refused with 2100 when the purse does not cover the points, with 2200 when nobody can receive them. */
  transferPoints(transfer: Transfer, rule: ActingRule): Refusal;
  /** Awards both members, once for each referred member. Otherwise it awards nothing; the activity does not fail. */
  completeReferral(award: ReferralAward, rule: ActingRule): Refusal;
  addMetric(change: MetricChange, rule: ActingRule): Refusal;
  setTier(change: LevelChange, rule: ActingRule): Refusal;
  /** Puts the member into a static segment, or takes it out. */
  changeSegment(change: { type: string; segment: string; isIn: boolean }, rule: ActingRule): Refusal;
  setExt(change: ExtChange, rule: ActingRule): Refusal;
  /** Sets fields of `result.data`; later values win. */
  setData(change: { type: string; values: Readonly<Record<string, unknown>> }, rule: ActingRule): Refusal;
  /** Puts into each line item the product that it names. */
  lookupProducts(effect: { type: string }, rule: ActingRule): Refusal;
  /** Burns the cost of a reward and gives the member a code. Refused with 2100 when the purse does not cover it. */
  issueReward(effect: Placed & { reward: string }, rule: ActingRule): Refusal;
  /** Gives the member a code by which it may take one of several rewards. */
  issueChoice(choice: IssuedChoice, rule: ActingRule): Refusal;
  /** Applies an offer after all rules have run. */
  applyOffer(effect: { type: string; offer: string }, rule: ActingRule): Refusal;
  /** Writes a line into `result.log`. */
  log(effect: { type: string; message: string }, rule: ActingRule): Refusal;
}
