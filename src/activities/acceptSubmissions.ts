import type { ObjectId } from 'bson';
import { type Connection, mongo } from 'mongoose';
import { type Author, newStamps } from '../db/records';
import { collectionOf } from '../db/resource';
import { invalidField, type ServiceError } from '../errors';
import { memberResource } from '../members/member';
import type { Services } from '../services';
import type { Activity } from './activity';
import { activityHistoryResource } from './activityHistory';
import { laneOf } from './lanes';
import { type Submission, submissionResource } from './submission';
import type { CancelRequest, RequestKey } from './work';

/** What is accepted for later: an activity, or a cancellation of one. */
export interface Accepted {
  activity: Activity;
  cancel?: CancelRequest;
  key: RequestKey;
}

/** What a submission keeps of its request until it is processed. */
export type StoredRequest = Pick<Accepted, 'activity' | 'cancel'>;

type AcceptServices = Pick<Services, 'db' | 'clock' | 'queues'>;

/**
 * Makes submissions durable, in the order given, and wakes a worker. A key that exists with the same hash gives the
 * existing submission.
 * @returns for each its submission, or the 422 of a key that was used for something else
 */
export async function acceptSubmissions(
  services: AcceptServices,
  author: Author,
  accepted: readonly Accepted[],
): Promise<(Submission | ServiceError)[]> {
  const now = services.clock.now();
  const lanes = await lanesOf(services, author, accepted);
  if (accepted.length === 0) return [];
  const rows = accepted.map((each, index) => submissionRow(each, author, now, lanes[index] ?? 0));
  const clashing = await insert(services, rows);
  services.queues.wakeInbox();
  if (clashing.size === 0) return rows;
  const winners = await findWinners(
    services,
    author,
    rows.filter((row) => clashing.has(row._id.toHexString())),
  );
  return rows.map((row) => {
    if (!clashing.has(row._id.toHexString())) return row;
    const winner = winners.get(row.key);
    return winner && winner.hash === row.hash ? winner : keyReused();
  });
}

/** The answer to a key that was used for another request. */
export function keyReused(): ServiceError {
  return invalidField('externalTxnId', 'unique', 'was used for a different request');
}

function submissionRow({ activity, cancel, key }: Accepted, author: Author, now: Date, lane: number): Submission {
  return {
    key: key.key,
    hash: key.hash,
    status: 'Queued',
    request: { activity, ...(cancel ? { cancel } : {}) } satisfies StoredRequest,
    lane,
    acceptedAt: now,
    attempts: 0,
    ...newStamps(author, now),
    ...(key.expiresAt ? { expiresAt: key.expiresAt } : {}),
  };
}

/** The ids of rows whose key exists already; every other row is durable when this resolves. */
async function insert({ db }: AcceptServices, rows: Submission[]): Promise<ReadonlySet<string>> {
  try {
    await collectionOf(db, submissionResource).insertMany(rows, {
      ordered: false,
      writeConcern: { w: 'majority', journal: true },
    });
    return new Set();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    if (failures.some((failure) => failure.code !== 11000)) throw error;
    return new Set(failures.map((failure) => String(rows[failure.index]?._id)));
  }
}

async function findWinners({ db }: AcceptServices, { org }: Author, rows: Submission[]) {
  const keys = rows.map((row) => row.key);
  const found = await collectionOf(db, submissionResource)
    .find({ org, key: { $in: keys } })
    .toArray();
  return new Map(found.map((submission) => [submission.key, submission]));
}

/** The lane of each: by the member's id, so that all that is sent for a member leads to one lane, cancellations too. */
async function lanesOf({ db }: AcceptServices, { org }: Author, accepted: readonly Accepted[]): Promise<number[]> {
  const targetIds = accepted.flatMap(({ cancel }) => (cancel ? [cancel.targetId] : []));
  const loyaltyIDs = accepted.flatMap(({ activity: { memberID, loyaltyID }, cancel }) =>
    cancel || memberID || loyaltyID === undefined ? [] : [loyaltyID],
  );
  const [owners, ids] = await Promise.all([ownersOf(db, org, targetIds), idsOf(db, org, loyaltyIDs)]);
  return accepted.map(({ activity: { memberID, loyaltyID = '' }, cancel }) => {
    const target = cancel?.targetId.toHexString();
    if (target !== undefined) return laneOf(owners.get(target) ?? target);
    return laneOf(memberID?.toHexString() ?? ids.get(loyaltyID) ?? loyaltyID);
  });
}

/** Hexadecimal member ids by the id of a history of theirs. */
async function ownersOf(db: Connection, org: ObjectId, histories: ObjectId[]): Promise<Map<string, string>> {
  if (histories.length === 0) return new Map();
  const found = await collectionOf(db, activityHistoryResource)
    .find({ _id: { $in: histories }, org })
    .project<{ _id: ObjectId; memberID: ObjectId }>({ memberID: 1 })
    .toArray();
  return new Map(found.map(({ _id, memberID }) => [_id.toHexString(), memberID.toHexString()]));
}

/** Hexadecimal member ids by loyalty id. */
async function idsOf(db: Connection, org: ObjectId, loyaltyIDs: string[]): Promise<Map<string, string>> {
  if (loyaltyIDs.length === 0) return new Map();
  const found = await collectionOf(db, memberResource)
    .find({ org, loyaltyIDs: { $in: loyaltyIDs } })
    .project<{ _id: ObjectId; loyaltyIDs: string[] }>({ loyaltyIDs: 1 })
    .toArray();
  return new Map(found.flatMap((member) => member.loyaltyIDs.map((id) => [id, member._id.toHexString()] as const)));
}
