import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import { isDuplicateKey } from '#base/db/transaction';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Answer } from '../route';
import { type KeyedRequest, keyedRequestResource } from './keyedRequest';
import { keyKeptUntil } from './sentKey';
import { inFlight, keyReused, whileInFlight } from './whileInFlight';

/** The answer that is stored under a key. */
export type StoredAnswer = NonNullable<KeyedRequest['answer']>;

/** The right to take effect once for a key. It ends when another attempt takes it over. */
export type Claim = Pick<KeyedRequest, '_id' | 'org' | 'claim'>;

/** A request to claim a key for. */
export interface ClaimRequest {
  author: Author;
  /** The id of the key, unique by org, route and key. */
  id: ObjectId;
  route: string;
  hash: string;
  /** How long a claim lasts when its process ends without releasing it. */
  claimMs: number;
}

type Claimed = { claim: Claim } | { answer: StoredAnswer };

/**
 * Claims a key, or returns the answer that is stored under it. While another request has the claim, it waits.
 * @throws ServiceError 1200 (kind `unique`) when the key was used for a different request; 1270 when the first request
 *   is still in flight after 2 s
 */
export function claimKey(
  services: Pick<Infrastructure, 'db' | 'clock' | 'config'>,
  request: ClaimRequest,
): Promise<Claimed> {
  return whileInFlight(() => tryClaim(services, request));
}

/**
 * Inserting the record makes the claim. An insert cannot use the clock of the database, so the end of a claim is by the
 * clock of the process and may be early or late when clocks differ. That is harmless: the transaction of the effect
 * checks the claim again, so only one attempt takes effect.
 */
async function tryClaim(
  { db, clock, config }: Pick<Infrastructure, 'db' | 'clock' | 'config'>,
  { author, id, route, hash, claimMs }: ClaimRequest,
): Promise<Claimed> {
  const requests = collectionOf(db, keyedRequestResource);
  const now = clock.now();
  const mine: KeyedRequest = {
    ...newStamps(author, now, id),
    route,
    hash,
    claim: new ObjectId(),
    claimedUntil: new Date(now.getTime() + claimMs),
    expiresAt: keyKeptUntil(now, config),
  };
  try {
    await requests.insertOne(mine);
    return { claim: mine };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const found = await requests.findOne({ _id: id, org: author.org });
  // The record is not yet stored on a majority, or its request has just failed.
  if (!found) throw inFlight();
  // MongoDB deletes expired records some time later.
  const isExpired = found.expiresAt <= now;
  if (!isExpired && found.hash !== hash) throw keyReused('Idempotency-Key');
  if (!isExpired && found.answer) return { answer: found.answer };
  if (!isExpired && found.claimedUntil > now) throw inFlight();
  const { claim, expiresAt } = found;
  const same = { _id: id, org: author.org, claim, expiresAt, ...(isExpired ? {} : unanswered) };
  const { matchedCount } = await requests.replaceOne(same, mine);
  if (matchedCount === 0) throw inFlight();
  return { claim: mine };
}

const unanswered = { answer: { $exists: false } };

/**
 * Stores the answer of a claimed request; with a session, in the transaction of its effect. Effect and answer are then
 * one commit, so that neither exists without the other.
 * @throws ServiceError 1270 when another attempt has taken the claim over: this one must not take effect
 */
export async function storeAnswer(
  db: Connection,
  claim: Claim,
  answer: Answer,
  session?: ClientSession,
): Promise<void> {
  const { status, headers = {}, body } = answer;
  const stored: StoredAnswer = { status, headers, body: JSON.stringify(body) };
  const about = idsIn(body);
  const update = { $set: { answer: stored, ...(about.length > 0 ? { about } : {}) } };
  const requests = collectionOf(db, keyedRequestResource);
  const { matchedCount } = await requests.updateOne(
    { ...claimFilter(claim), ...unanswered },
    update,
    session && { session },
  );
  if (matchedCount === 0) throw inFlight();
}

/**
 * Gives up the claim of a request that failed, so that the request can be sent again with its key, as it was or
 * corrected. The commit of the effect may have succeeded although the request failed.
 * @returns the answer that was committed; undefined when there is no effect and never will be
 */
export async function releaseKey(db: Connection, claim: Claim): Promise<StoredAnswer | undefined> {
  const requests = collectionOf(db, keyedRequestResource);
  const { deletedCount } = await requests.deleteOne({ ...claimFilter(claim), ...unanswered });
  return deletedCount === 1 ? undefined : (await requests.findOne(claimFilter(claim)))?.answer;
}

function claimFilter({ _id, org, claim }: Claim): Claim {
  return { _id, org, claim };
}

/**
 * The ids of what an answer is about: those at `_id`, `member` and `member._id` of the answer, or of each element of a
 * list. They tell which answers to forget when a member is erased.
 */
function idsIn(body: unknown): ObjectId[] {
  const found = [body].flat().flatMap(createdIds);
  return [...new Set(found)].map((id) => new ObjectId(id));
}

function createdIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { _id, member } = value as { _id?: unknown; member?: unknown };
  const nested = member instanceof ObjectId ? [member] : typeof member === 'object' ? createdIds(member) : [member];
  return [_id, ...nested].map(String).filter((id) => /^[0-9a-f]{24}$/.test(id));
}
