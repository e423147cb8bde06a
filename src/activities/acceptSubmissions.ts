import { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import { type Author, newStamps } from '../db/records';
import { collectionOf } from '../db/resource';
import { invalidField, type ServiceError } from '../errors';
import { memberResource } from '../members/member';
import type { Services } from '../services';
import type { Activity } from './activity';
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
  const stamps = newStamps(author, now, new ObjectId());
  return {
    ...stamps,
    key: key.key,
    hash: key.hash,
    status: 'Queued',
    request: { activity, ...(cancel ? { cancel } : {}) } satisfies StoredRequest,
    lane,
    acceptedAt: now,
    attempts: 0,
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

/** The lane of each: by the member's id, so that a member's ids and loyalty ids all lead to one lane. */
async function lanesOf({ db }: AcceptServices, { org }: Author, accepted: readonly Accepted[]): Promise<number[]> {
  const loyaltyIDs = accepted.flatMap(({ activity }) =>
    activity.memberID || activity.loyaltyID === undefined ? [] : [activity.loyaltyID],
  );
  const ids = new Map<string, string>();
  if (loyaltyIDs.length > 0) {
    const members = collectionOf(db, memberResource)
      .find({ org, loyaltyIDs: { $in: loyaltyIDs } })
      .project<{ _id: ObjectId; loyaltyIDs: string[] }>({ loyaltyIDs: 1 });
    for await (const member of members) {
      for (const loyaltyID of member.loyaltyIDs) ids.set(loyaltyID, member._id.toHexString());
    }
  }
  return accepted.map(({ activity: { memberID, loyaltyID = '' }, cancel }) =>
    laneOf(memberID?.toHexString() ?? ids.get(loyaltyID) ?? (loyaltyID || String(cancel?.targetId))),
  );
}
