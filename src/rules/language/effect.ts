import type { EscrowTerms, ExpiryTerms } from '../../records/points/terms';

/** Points a rule awards; `n` is the position of its action, which tells apart several awards of one rule. */
export interface AddPointsEffect {
  type: 'addPoints';
  purse: string;
  /** At least 1. */
  points: number;
  escrow?: EscrowTerms;
  expiry?: ExpiryTerms;
  n: number;
}

/** Points a rule burns; refused by the target with 2100 when the purse does not cover them. */
export interface RedeemPointsEffect {
  type: 'redeemPoints';
  purse: string;
  /** At least 1. */
  points: number;
  n: number;
}

/** The level of a tier policy that a rule puts the member at. */
export interface SetTierEffect {
  type: 'setTier';
  /** Name of the tier policy. */
  policy: string;
  /** Name of the level. */
  level: string;
}

/** Points a rule moves to another purse of the member, or to another member. */
export interface TransferPointsEffect {
  type: 'transferPoints';
  purse: string;
  /** At least 1. */
  points: number;
  toPurse?: string;
  /** The other member; empty when the activity names none. */
  toLoyaltyID?: string;
  n: number;
}

/** An offer that a rule applies, by code. */
export interface ApplyOfferEffect {
  type: 'applyOffer';
  offer: string;
}

/** A reward, by code, of which the member gets a code of its own. */
export interface IssueRewardEffect {
  type: 'issueReward';
  reward: string;
  n: number;
}

/** The referral of the member is complete; both amounts 0 or more. */
export interface CompleteReferralEffect {
  type: 'completeReferral';
  purse: string;
  points: number;
  referrerPoints: number;
  n: number;
}

/** What a rule adds to a metric of the member; may be negative, never 0. */
export interface AddMetricEffect {
  type: 'addMetric';
  metric: string;
  value: number;
  expires?: { value: number; unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' };
}

/** The products are put into the line items. */
export interface LookupProductsEffect {
  type: 'lookupProducts';
}

/** The member is put into a static segment, or taken out. */
export interface SegmentEffect {
  type: 'addSegment' | 'removeSegment';
  segment: string;
}

/** Extension fields that a rule sets; later values win. */
export interface SetExtEffect {
  type: 'setExt';
  on: 'member' | 'activity';
  values: Readonly<Record<string, unknown>>;
}

/** What a rule puts into `result.data`; later values win. */
export interface SetDataEffect {
  type: 'setData';
  values: Readonly<Record<string, unknown>>;
}

/** What a rule writes to `result.log`. */
export interface LogEffect {
  type: 'log';
  message: string;
}

/** The activity fails with 2400; never reaches the target. */
export interface RejectEffect {
  type: 'reject';
  message: string;
}

/** What a rule does to the working state, as data. */
export type Effect =
  | AddPointsEffect
  | RedeemPointsEffect
  | SetTierEffect
  | TransferPointsEffect
  | AddMetricEffect
  | LookupProductsEffect
  | SegmentEffect
  | SetExtEffect
  | IssueRewardEffect
  | ApplyOfferEffect
  | CompleteReferralEffect
  | SetDataEffect
  | LogEffect;

/** An effect that moves points. */
export type PointsEffect = AddPointsEffect | RedeemPointsEffect | TransferPointsEffect;
