import type { ObjectId } from 'bson';
import type { Author } from '#base/db/records';
import type { Origin } from '#base/tracing/origin';
import type { StartedSpan } from '#base/tracing/tracer';
import type { Language } from '#base/words/language';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import type { Activity, LineItem } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { ImportedRow } from '#records/imports/importError';
import type { MemberTier } from '#records/members/memberTier';
import type { HiddenLotField, Lot } from '#records/points/lot';
import type { ShownPurse } from '#records/points/purse';

/** The idempotency key of a request, and the hash of the request. */
export interface RequestKey {
  key: string;
  hash: string;
  /** When the key is deleted. Absent for a key sent as externalTxnId, which never expires. */
  expiresAt?: Date;
}

/** What to cancel: the original, the part to return, and conditions. */
export interface CancelRequest {
  originalId: ObjectId;
  /** Value to return, in minor units. Absent: the value of the named lines, else all that is left. */
  value?: number;
  /** Line items to return. */
  lines?: readonly NamedLine[];
  /** A filter that the original must match, else error 2320. */
  validate?: Record<string, unknown>;
  /** The member that must own the original, else 404. */
  memberId?: ObjectId;
}

/** A request: one activity or cancellation on its way through the pipeline. */
export interface PipelineRequest {
  author: Author;
  /**
   * The id of the request's history, and of its submission when it has a key. It is made before the first attempt. The
   * unique id then prevents that a further attempt has a second effect.
   */
  historyId: ObjectId;
  /** The org's versions, as read when the HTTP request was authenticated. */
  versions?: OrgVersions | undefined;
  activity: Activity;
  cancel?: CancelRequest;
  key?: RequestKey;
  /** True: the outcome lists every rule with its reason. */
  explain?: boolean | 'all';
  /** The language of these reasons; English when left out. */
  language?: Language;
  /** The queued submission that this request comes from, already durable. Equal to `historyId`. */
  submissionId?: ObjectId;
  /** The row of an import that this submission comes from. */
  row?: ImportedRow;
  /** The HTTP request that it comes from; absent for what the service posts itself. */
  origin?: Origin;
  /** The span of its processing, when its trace is recorded. The pipeline starts and ends it. */
  span?: StartedSpan;
  /** The partition of that submission. */
  partition?: number;
  /** The instant of `elapsedMs` by which the client gets an answer. Absent when no client waits. */
  endsAt?: number;
  /**
   * True once the process that handed the request over may process it itself. From then on it must not be decided here.
   * Absent when it was not handed over.
   */
  isGone?(): boolean;
  /** True when another process, to which it was handed over, may have processed it. */
  isRepeated?: true;
}

/** A purse in an answer, with the accrual items that the activity awarded or burned. */
export type AnsweredPurse = ShownPurse<ShownLot>;

/** An accrual item in an answer. */
export type ShownLot = Omit<Lot, HiddenLotField>;

/** The member in an answer. */
export interface AnsweredMember {
  _id: ObjectId;
  loyaltyID: string;
  program: ObjectId;
  purses: AnsweredPurse[];
  tiers: MemberTier[];
}

/** The outcome of a request. It is durable unless the request was only evaluated (`persist=false`). */
export interface Outcome {
  result: ActivityHistory['result'];
  /** Absent when the member is unknown. */
  member?: AnsweredMember;
  /** Every rule for the activity's type with its reason, when the request has `explain`. Absent for a replay. */
  ruleMatch?: readonly Record<string, unknown>[];
  /** Number of rules that `ruleMatch` leaves out, because it would be too long. */
  omittedRules?: number;
  /** True when this is the stored result of the first request with the key. */
  replayed: boolean;
}

/**
 * A line item to return: `_id`, `itemSKU` or `productId`, and the quantity. Without a quantity, all that is left of the
 * line.
 */
export type NamedLine = Pick<LineItem, '_id' | 'itemSKU' | 'productId' | 'quantity'>;
