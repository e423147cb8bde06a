import type { ObjectId } from 'bson';
import type { Author } from '../../db/records';
import type { OrgVersions } from '../../orgs/orgVersions';
import type { Activity, LineItem } from '../../records/activities/activity';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { MemberTier } from '../../records/members/memberTier';
import type { HiddenLotField, Lot } from '../../records/points/lot';
import type { ShownPurse } from '../../records/points/purse';

/** The idempotency key of a request and the hash of what was asked with it. */
export interface RequestKey {
  key: string;
  hash: string;
  /** When the key is forgotten; keys sent as externalTxnId never are. */
  expiresAt?: Date;
}

/** What a cancellation asks: which history, and conditions on it. */
export interface CancelRequest {
  originalId: ObjectId;
  /** Value given back; absent: that of the lines named, or all that is left. */
  value?: number;
  /** Line items that came back. */
  lines?: readonly NamedLine[];
  /** A filter the target must match, else error 2320. */
  validate?: Record<string, unknown>;
  /** The member that must own the target, else 404. */
  memberId?: ObjectId;
}

/** One activity or cancellation on its way through the pipeline. */
export interface PipelineRequest {
  author: Author;
  /**
   * The id of the history it becomes, and of its submission when it has a key. Made before the first attempt, so that
   * the unique ids keep every further attempt from a second effect.
   */
  historyId: ObjectId;
  /** What was in force when it was asked for. */
  versions?: OrgVersions | undefined;
  activity: Activity;
  cancel?: CancelRequest;
  key?: RequestKey;
  /** Its outcome names every rule with its reason. */
  explain?: boolean;
  /** The queued submission this work comes from, already durable; the same id as its history's. */
  submissionId?: ObjectId;
  /** The partition of that submission. */
  partition?: number;
  /** When its client is answered at the latest, as of `elapsedMs`; absent: none waits. */
  endsAt?: number;
}

/** A purse as answered: with the accrual items that the activity touched. */
export type AnsweredPurse = ShownPurse<ShownLot>;

/** An accrual item as answered. */
export type ShownLot = Omit<Lot, HiddenLotField>;

/** The member as answered beside a result. */
export interface AnsweredMember {
  _id: ObjectId;
  loyaltyID: string;
  program: ObjectId;
  purses: AnsweredPurse[];
  tiers: MemberTier[];
}

/** What became of a work: its result, durable unless `persisted` is false. */
export interface Outcome {
  result: ActivityHistory['result'];
  /** Absent when the member is not known. */
  member?: AnsweredMember;
  /** Every rule of the activity's type with its reason, when the work asks for it; absent on a replay. */
  ruleMatch?: readonly Record<string, unknown>[];
  /** The first request of this key was answered again. */
  replayed: boolean;
}

/** A line item that came back, as a cancellation names it: `_id` or `itemSKU`, and how much; default all that is left. */
export type NamedLine = Pick<LineItem, '_id' | 'itemSKU' | 'quantity'>;
