import { type ObjectId, Timestamp } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { mongo } from 'mongoose';
import { isTooLarge, recordTooLarge } from '#activities/commit/recordTooLarge';
import type { CancelRequest, RequestKey } from '#activities/state/pipelineRequest';
import { type ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf, insertAll } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import { timeouts } from '#base/db/timeouts';
import { GuardFailed, hasLostRace, inTransaction } from '#base/db/transaction';
import type { Queues } from '#base/queues/queues';
import { byForm, soughtForms } from '#base/schema/findable';
import type { Origin } from '#base/tracing/origin';
import { keyReused } from '#platform/http/keys/whileInFlight';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Activity } from '#records/activities/activity';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { memberPartition } from '#records/activities/inboxPartition';
import { hasFreeKey, type Submission, submissionResource } from '#records/activities/submission';
import type { ImportedRow } from '#records/imports/importError';
import { memberResource } from '#records/members/member';

/** An activity or cancellation to accept for later processing. */
export interface Accepted {
  activity: Activity;
  cancel?: CancelRequest;
  key: RequestKey;
  /** The HTTP request that it comes from. */
  origin?: Origin;
  /** The row of an import that it comes from. */
  row?: ImportedRow;
  /** The id of the submission; default: a new one. */
  id?: ObjectId;
}

/** The part of the request that a submission stores until it is processed. */
export type StoredRequest = Pick<Accepted, 'activity' | 'cancel' | 'origin' | 'row'>;

/** The services that accepting needs. */
export type AcceptServices = Pick<Infrastructure, 'db' | 'clock'> & { queues: Queues };

/**
 * Stores submissions durably, in the order given, and wakes a worker. When a submission with the same key and hash
 * exists, it is returned instead; it is durable too. A submission that was refused because a record it names did not
 * exist is replaced.
 * @returns for each entry its submission, or the error (422) of a key that was used for a different request
 * @throws ServiceError 1310 when it is unknown whether all submissions are durable
 */
export async function acceptSubmissions(
  services: AcceptServices,
  author: Author,
  accepted: readonly Accepted[],
): Promise<(Submission | ServiceError)[]> {
  const now = services.clock.now();
  const partitions = await assignPartitions(services, author, accepted);
  if (accepted.length === 0) return [];
  const rows = accepted.map((each, index) => submissionRow(each, author, now, partitions[index] ?? 0));
  const taken = await insert(services, rows);
  services.queues.wakeInbox();
  if (taken.size === 0) return rows;
  const winners = await replaceFree(
    services,
    author,
    rows.filter((_row, index) => taken.has(index)),
  );
  return rows.map((row, index) => {
    if (!taken.has(index)) return row;
    const winner = winners.get(row.key);
    if (!winner) throw notStored();
    return winner.hash === row.hash ? winner : keyReused('externalTxnId');
  });
}

/** The error when it is unknown what was stored. The client sends the same key again and gets a sure answer. */
function notStored(): ServiceError {
  return unavailable(message('activities.notStored'));
}

/** MongoDB replaces an empty timestamp with its own on insert. */
const setByServer = new Timestamp({ t: 0, i: 0 });

function submissionRow(accepted: Accepted, author: Author, now: Date, partition: number): Submission {
  const { activity, cancel, key, id, origin, row } = accepted;
  return {
    key: key.key,
    hash: key.hash,
    status: 'Queued',
    request: {
      activity,
      ...(cancel ? { cancel } : {}),
      ...(origin ? { origin } : {}),
      ...(row ? { row } : {}),
    } satisfies StoredRequest,
    partition,
    acceptedAt: now,
    place: setByServer,
    attempts: 0,
    ...newStamps(author, now, id),
    ...(key.expiresAt ? { expiresAt: key.expiresAt } : {}),
  };
}

/**
 * Inserts the rows. Every row is durable when this resolves, except those whose key exists already.
 * @returns the indexes of the rows whose key exists already
 * @throws ServiceError 1310 when it is unknown whether they are durable; a retry with the same keys finds stored rows
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
    throw isTooLarge(error) ? recordTooLarge() : notStored();
  }
}

/** Most attempts to replace submissions with free keys. Each attempt may lose against another process. */
const replaceAttemptsMax = 5;

/**
 * Stores rows in place of earlier submissions that no longer occupy their keys. Each row has its own id, so that one of
 * several concurrent requests wins. Returns the submissions that have the keys now.
 */
async function replaceFree(services: AcceptServices, author: Author, rows: Submission[]) {
  for (let number = 1; ; number += 1) {
    const winners = await findWinners(services, author, rows);
    const free = [...winners.values()].filter(hasFreeKey);
    if (free.length === 0) return winners;
    const made = free.flatMap(({ key }) => rows.find((row) => row.key === key) ?? []);
    try {
      await replace(services, author, free, made);
    } catch (error) {
      const isAgain = hasLostRace(error);
      if (!isAgain || number >= replaceAttemptsMax) throw isTooLarge(error) ? recordTooLarge() : notStored();
    }
  }
}

async function replace({ db }: AcceptServices, { org }: Author, free: Submission[], made: Submission[]): Promise<void> {
  const submissions = collectionOf(db, submissionResource);
  const [first] = made;
  const wasStored = async (session: ClientSession) =>
    (await submissions.countDocuments({ _id: { $in: first ? [first._id] : [] }, org }, { session, limit: 1 })) > 0;
  await inTransaction(
    db,
    async (session) => {
      const refused = { org, _id: { $in: free.map(({ _id }) => _id) }, status: 'Error' as const };
      const { deletedCount } = await submissions.deleteMany(refused, { session });
      if (deletedCount !== free.length) throw new GuardFailed('A refused submission was posted again meanwhile');
      await insertAll(db, session, submissionResource.path, made);
    },
    wasStored,
  );
}

/**
 * The existing submissions with these keys. They may not be durable yet, but an answered submission must be. So the
 * read is linearizable: a majority confirms the result before the read returns.
 */
async function findWinners({ db }: AcceptServices, { org }: Author, rows: Submission[]) {
  const keys = rows.map((row) => row.key);
  const found = await collectionOf(db, submissionResource)
    .find({ org, key: { $in: keys } }, confirmed)
    .toArray();
  return new Map(found.map((submission) => [submission.key, submission]));
}

/** The partition of each entry, by the id of its member. So all requests of a member, cancellations too, share one. */
async function assignPartitions(
  { db }: AcceptServices,
  { org }: Author,
  accepted: readonly Accepted[],
): Promise<number[]> {
  const targetIds = accepted.flatMap(({ cancel }) => (cancel ? [cancel.originalId] : []));
  const loyaltyIDs = accepted.flatMap(({ activity: { memberID, loyaltyID }, cancel }) =>
    cancel || memberID || loyaltyID === undefined ? [] : [loyaltyID],
  );
  const [owners, ids] = await Promise.all([findOwners(db, org, targetIds), findMemberIds(db, org, loyaltyIDs)]);
  return accepted.map(({ activity: { memberID, loyaltyID = '' }, cancel }) => {
    const target = cancel?.originalId.toHexString();
    if (target !== undefined) return memberPartition(owners.get(target) ?? target);
    return memberPartition(memberID?.toHexString() ?? ids.get(loyaltyID) ?? loyaltyID);
  });
}

/** Hexadecimal member ids by hexadecimal history id. */
async function findOwners(db: Connection, org: ObjectId, histories: ObjectId[]): Promise<Map<string, string>> {
  if (histories.length === 0) return new Map();
  const found = await collectionOf(db, activityHistoryResource)
    .find({ _id: { $in: histories }, org })
    .project<{ _id: ObjectId; memberID: ObjectId }>({ memberID: 1 })
    .toArray();
  return new Map(found.map(({ _id, memberID }) => [_id.toHexString(), memberID.toHexString()]));
}

/** Hexadecimal member ids by loyalty id. */
async function findMemberIds(db: Connection, org: ObjectId, loyaltyIDs: string[]): Promise<Map<string, string>> {
  if (loyaltyIDs.length === 0) return new Map();
  const found = await collectionOf(db, memberResource)
    .find({ org, loyaltyIDs: { $in: loyaltyIDs.flatMap(soughtForms) } })
    .project<{ _id: ObjectId; loyaltyIDs: string[] }>({ loyaltyIDs: 1 })
    .toArray();
  return byForm(found.flatMap((member) => member.loyaltyIDs.map((id) => [id, member._id.toHexString()] as const)));
}

const duplicateKey = 11000;

/**
 * The indexes of the rows that an unordered insert did not store because their key exists. Every other row is then
 * stored with the write concern. Undefined after any other failure: then it is unknown which rows are stored. The class
 * of the error alone says nothing, because the driver also uses it for lost connections, step-downs and write concern
 * errors.
 */
function takenRows(error: unknown, rowCount: number): ReadonlySet<number> | undefined {
  if (!(error instanceof mongo.MongoBulkWriteError)) return undefined;
  const failures = [error.writeErrors].flat();
  const isAllTaken = failures.length > 0 && failures.every(({ code }) => code === duplicateKey);
  const isEachRowReported = error.insertedCount + failures.length === rowCount;
  if (!isAllTaken || !isEachRowReported || error.result.getWriteConcernError()) return undefined;
  return new Set(failures.map(({ index }) => index));
}

/**
 * Options of a read whose result is final: it sees the latest data of the primary, and returns only when a majority has
 * this data too. So a record that it does not find was not committed before.
 */
const confirmed = {
  readConcern: { level: 'linearizable' },
  maxTimeMS: timeouts.majorityMs,
  batchSize: 1001,
} as const;
