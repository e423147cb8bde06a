import { createHash } from 'node:crypto';
import { type ObjectId, Timestamp } from 'bson';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { type Author, derivedIdAt, newStamps } from '#base/db/records';
import type { Activity } from '#records/activities/activity';
import { memberPartition } from '#records/activities/inboxPartition';
import type { Occasion, OccasionType } from '#records/activities/occasion';
import type { Submission } from '#records/activities/submission';

/** What distinguishes an occasion from every other one. */
export interface OccasionName {
  type: OccasionType;
  /** The instant that its id contains; always the same for one occasion. */
  at: Date;
  /** Together with the type and the instant, these values identify the occasion. */
  idParts: readonly (string | number | ObjectId)[];
}

/** An occasion to post. */
export interface NewOccasion extends OccasionName {
  member: ObjectId;
  /** The date of its activity. */
  date: Date;
  occasion: Occasion;
}

/** The id of the submission of an occasion, and of its history. The same occasion always has the same id. */
function occasionId({ type, at, idParts }: OccasionName): ObjectId {
  return derivedIdAt(at, 'occasion', type, ...idParts);
}

/**
 * The queued submission of an occasion. The commit that causes the occasion stores it in the same transaction, so it is
 * stored exactly once.
 */
export function occasionSubmission(author: Author, now: Date, newOccasion: NewOccasion): Submission {
  const { type, member, date, occasion } = newOccasion;
  const _id = occasionId(newOccasion);
  const key = `${ownKeyPrefix}${type}:${_id.toHexString()}`;
  const activity: Activity = {
    type,
    date,
    value: 0,
    lineItems: [],
    memberID: member,
    externalTxnId: key,
    occasion,
  };
  return queued(author, now, { _id, key, member, request: { activity } });
}

/**
 * The queued cancellation of an occasion that did not last, such as a level that a cancellation revoked. It is in the
 * partition of the member, after the occasion itself. It has no effect when the occasion was never posted.
 */
export function occasionCancellation(
  author: Author,
  now: Date,
  { member, ...name }: OccasionName & { member: ObjectId },
): Submission {
  const originalId = occasionId(name);
  const _id = derivedIdAt(now, 'occasion', 'Cancellation', originalId);
  const key = `${ownKeyPrefix}Cancellation:${originalId.toHexString()}`;
  const activity: Activity = {
    type: 'Cancellation',
    date: now,
    value: 0,
    lineItems: [],
    originalTxnId: originalId,
    externalTxnId: key,
  };
  return queued(author, now, { _id, key, member, request: { activity, cancel: { originalId } } });
}

interface Queued {
  _id: ObjectId;
  key: string;
  member: ObjectId;
  request: { activity: Activity; cancel?: { originalId: ObjectId } };
}

/** MongoDB replaces an empty timestamp with its own on insert. */
const setByServer = new Timestamp({ t: 0, i: 0 });

function queued(author: Author, now: Date, { _id, key, member, request }: Queued): Submission {
  return {
    ...newStamps(author, now, _id),
    key,
    hash: createHash('sha256').update(key).digest('hex'),
    status: 'Queued',
    request,
    partition: memberPartition(member.toHexString()),
    acceptedAt: now,
    place: setByServer,
    attempts: 0,
  };
}
