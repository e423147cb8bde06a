import { type ObjectId, Timestamp } from 'bson';
import type { Connection } from 'mongoose';
import { mongo } from 'mongoose';
import type { Backing } from '../../backing/backing';
import { type ServiceError, unavailable } from '../../common/errors';
import { collectionOf } from '../../db/collections';
import { type Author, newStamps } from '../../db/records';
import { timeouts } from '../../db/timeouts';
import type { Queues } from '../../queues/queues';
import type { Activity } from '../../records/activities/activity';
import { activityHistoryResource } from '../../records/activities/activityHistory';
import { type Submission, submissionResource } from '../../records/activities/submission';
import { memberResource } from '../../records/members/member';
import { isTooLarge, tooLarge } from '../commit/tooLarge';
import { keyReused } from '../state/keyReused';
import type { CancelRequest, RequestKey } from '../state/pipelineRequest';
import { partitionOf } from './partitions';

/** What is accepted for later: an activity, or a cancellation of one. */
export interface Accepted {
  activity: Activity;
  cancel?: CancelRequest;
  key: RequestKey;
}

/** What a submission keeps of its request until it is processed. */
export type StoredRequest = Pick<Accepted, 'activity' | 'cancel'>;

/** What accepting takes. */
export type AcceptServices = Pick<Backing, 'db' | 'clock'> & { queues: Queues };

/**
 * Makes submissions durable, in the order given, and wakes a worker. A key that exists with the same hash gives the
 * existing submission, as durable as a new one.
 * @returns for each its submission, or the 422 of a key that was used for something else
 * @throws ServiceError 1310 when it is not known that all of them are durable
 */
export async function acceptSubmissions(
  services: AcceptServices,
  author: Author,
  accepted: readonly Accepted[],
): Promise<(Submission | ServiceError)[]> {
  const now = services.clock.now();
  const partitions = await partitionsOf(services, author, accepted);
  if (accepted.length === 0) return [];
  const rows = accepted.map((each, index) => submissionRow(each, author, now, partitions[index] ?? 0));
  const taken = await insert(services, rows);
  services.queues.wakeInbox();
  if (taken.size === 0) return rows;
  const winners = await findWinners(
    services,
    author,
    rows.filter((_row, index) => taken.has(index)),
  );
  return rows.map((row, index) => {
    if (!taken.has(index)) return row;
    const winner = winners.get(row.key);
    if (!winner) throw notStored();
    return winner.hash === row.hash ? winner : keyReused();
  });
}

/** The answer when it is not known what was stored: the same key, sent again, tells. */
function notStored(): ServiceError {
  return unavailable('The activity may not be stored; send it again');
}

/** MongoDB replaces an empty timestamp by its own when it inserts. */
const setByServer = new Timestamp({ t: 0, i: 0 });

function submissionRow({ activity, cancel, key }: Accepted, author: Author, now: Date, partition: number): Submission {
  return {
    key: key.key,
    hash: key.hash,
    status: 'Queued',
    request: { activity, ...(cancel ? { cancel } : {}) } satisfies StoredRequest,
    partition,
    acceptedAt: now,
    place: setByServer,
    attempts: 0,
    ...newStamps(author, now),
    ...(key.expiresAt ? { expiresAt: key.expiresAt } : {}),
  };
}

/**
 * The places of rows whose key exists already; every other row is durable when this resolves.
 * @throws ServiceError 1310 when it is not known that they are; what was stored all the same is met by the same key again
 */
async function insert({ db }: AcceptServices, rows: Submission[]): Promise<ReadonlySet<number>> {
  try {
    await collectionOf(db, submissionResource).insertMany(rows, {
      ordered: false,
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeouts.majorityMs },
    });
    return new Set();
  } catch (error) {
    const taken = takenRows(error, rows.length);
    if (taken) return taken;
    throw isTooLarge(error) ? tooLarge() : notStored();
  }
}

/**
 * The submissions that came first with these keys. They may not be durable yet themselves, and what is answered of them
 * must be: what a linearizable read finds is confirmed by a majority before it answers.
 */
async function findWinners({ db }: AcceptServices, { org }: Author, rows: Submission[]) {
  const keys = rows.map((row) => row.key);
  const found = await collectionOf(db, submissionResource)
    .find({ org, key: { $in: keys } }, confirmed)
    .toArray();
  return new Map(found.map((submission) => [submission.key, submission]));
}

/** The partition of each: by the member's id, so that all that is sent for a member leads to one partition, cancellations too. */
async function partitionsOf({ db }: AcceptServices, { org }: Author, accepted: readonly Accepted[]): Promise<number[]> {
  const targetIds = accepted.flatMap(({ cancel }) => (cancel ? [cancel.originalId] : []));
  const loyaltyIDs = accepted.flatMap(({ activity: { memberID, loyaltyID }, cancel }) =>
    cancel || memberID || loyaltyID === undefined ? [] : [loyaltyID],
  );
  const [owners, ids] = await Promise.all([ownersOf(db, org, targetIds), idsOf(db, org, loyaltyIDs)]);
  return accepted.map(({ activity: { memberID, loyaltyID = '' }, cancel }) => {
    const target = cancel?.originalId.toHexString();
    if (target !== undefined) return partitionOf(owners.get(target) ?? target);
    return partitionOf(memberID?.toHexString() ?? ids.get(loyaltyID) ?? loyaltyID);
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

const duplicateKey = 11000;

/**
 * Tells which rows of an unordered insert were not stored because a unique index was taken, when that is all that went
 * wrong: every other row is then stored as the write concern asks. Undefined of any other failure: what became of the rows
 * is not known. The driver wraps a lost connection, a step-down and a write concern error in the same class, without any
 * write errors or beside them, so that the class alone says nothing.
 */
function takenRows(error: unknown, rowCount: number): ReadonlySet<number> | undefined {
  if (!(error instanceof mongo.MongoBulkWriteError)) return undefined;
  const failures = [error.writeErrors].flat();
  const isAllTaken = failures.length > 0 && failures.every(({ code }) => code === duplicateKey);
  const isAllTold = error.insertedCount + failures.length === rowCount;
  if (!isAllTaken || !isAllTold || error.result.getWriteConcernError()) return undefined;
  return new Set(failures.map(({ index }) => index));
}

/**
 * Options of a read that tells what is so for good: it sees the latest that the primary has, and answers only when a
 * majority has it too. What it does not find was not committed before it.
 */
const confirmed = {
  readConcern: { level: 'linearizable' },
  maxTimeMS: timeouts.majorityMs,
  batchSize: 1001,
} as const;
