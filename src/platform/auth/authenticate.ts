import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type ApiKey, apiKeyResource } from '#records/users/apiKey';
import { apiKeyMark, readApiKeyText } from './apiKeyText';
import { bearerToken } from './bearerToken';
import type { Principal } from './principal';
import { type Claims, createReadPrincipals, type ReadPrincipals } from './readPrincipals';
import { type ReadToken, readToken, type TokenClaims, unauthenticated } from './token';

/** How many milliseconds the stored last use of a key may lag. */
const noteEveryMs = 60_000;

/** Notes that an API key was used, some time later. It never fails. */
type NoteKeyUse = (author: Author, apiKey: Pick<ApiKey, 'lastUsedAt'>, now: Date) => void;

/**
 * Makes the function that notes the last use of keys, in the background of requests. All processes together write at
 * most once a minute for a key.
 */
function createNoteKeyUse(db: Connection, log: Logger): NoteKeyUse {
  const writing = new Set<string>();
  return ({ userId: keyId, org }, { lastUsedAt }, now) => {
    const before = new Date(now.getTime() - noteEveryMs);
    const id = keyId.toHexString();
    if ((lastUsedAt && lastUsedAt > before) || writing.has(id)) return;
    writing.add(id);
    // Another process may have noted a use since the key was read.
    const due = { _id: keyId, org, lastUsedAt: { $not: { $gt: before } } };
    collectionOf(db, apiKeyResource)
      .updateOne(due, { $set: { lastUsedAt: now } })
      .catch((error: Error) => log.debug({ error: error.name }, 'the use of an API key was not noted'))
      .finally(() => writing.delete(id));
  };
}

/** Returns the user of a request from its `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** The number of tokens whose claims are cached after their signature was verified. */
const signedTokensMax = 10_000;

type Sources = Pick<Infrastructure, 'db' | 'log' | 'resources' | 'tokenKey' | 'clock'>;

interface Waiting {
  claims: Claims;
  resolve(principal: Principal): void;
  reject(error: unknown): void;
}

/**
 * Makes the authentication of a process. Session and user, or the API key, are read for every request and never cached,
 * so a logout or a changed user takes effect at once in every process. One query reads them for all requests that wait
 * at that instant: in a measurement, a query for each request cost as much as posting an activity. The returned
 * function throws ServiceError 1120 when the token or key is missing, malformed or expired, or its session has ended.
 */
export function createAuthenticate({ db, log, resources, tokenKey, clock }: Sources): Authenticate {
  let waiting: Waiting[] = [];
  let isReading = false;
  const readPrincipals = createReadPrincipals(db, resources);
  const noteKeyUse = createNoteKeyUse(db, log);

  async function readWaiting(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      await untilPause(() => waiting.length);
      const batch = waiting;
      waiting = [];
      await answerBatch(readPrincipals, batch, clock.now());
    }
    isReading = false;
  }

  // The claims of a token never change, so its signature is verified once. Session and user are read every time.
  const signed = new LRUCache<string, ReadToken>({ max: signedTokensMax });
  const claimsOf = (token: string): TokenClaims => {
    const now = clock.now();
    const known = signed.get(token);
    if (known && now < known.expiresAt) return known;
    const read = readToken(tokenKey, token, now);
    signed.set(token, read);
    return read;
  };

  return async (authorization) => {
    const bearer = requireBearer(authorization);
    const claims = bearer.startsWith(apiKeyMark) ? readApiKeyClaims(bearer) : claimsOf(bearer);
    const principal = await new Promise<Principal>((resolve, reject) => {
      waiting.push({ claims, resolve, reject });
      if (!isReading) void readWaiting();
    });
    if (principal.apiKey) noteKeyUse(principal, principal.apiKey, clock.now());
    return principal;
  };
}

function readApiKeyClaims(text: string): Claims {
  const claims = readApiKeyText(text);
  if (!claims) throw unauthenticated(message('auth.keyMalformed'));
  return claims;
}

/** The most turns of the event loop for which a read waits for more requests. */
const joinTurnsMax = 8;

/**
 * Resolves after a turn of the event loop in which no request arrived. Clients that get their answers together send
 * their next requests together, so a short wait makes larger batches.
 */
async function untilPause(count: () => number): Promise<void> {
  let known: number;
  let turns = 0;
  do {
    known = count();
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  } while (count() > known && turns < joinTurnsMax);
}

function requireBearer(authorization: string | undefined): string {
  const token = bearerToken(authorization);
  if (token === undefined || /[\s,]/.test(token)) throw unauthenticated(message('auth.tokenNeeded'));
  return token;
}

/** Answers every request of a batch. It never throws: when the read fails, each request is rejected with that error. */
async function answerBatch(readPrincipals: ReadPrincipals, batch: Waiting[], now: Date): Promise<void> {
  try {
    // Requests with the same token share one claims object, so the set holds each token once.
    const principals = await readPrincipals(new Set(batch.map(({ claims }) => claims)), now);
    for (const { claims, resolve, reject } of batch) {
      const principal = principals.get(claims);
      if (principal) resolve(principal);
      else reject(unauthenticated('keyId' in claims ? message('auth.keyNotValid') : message('auth.sessionEnded')));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/**
 * Refuses the request of a user without this permission.
 * @throws ServiceError 1130 when the permission is missing
 */
export function requirePermission(principal: Principal, permission: string): void {
  if (!principal.permissions.has(permission)) {
    throw new ServiceError('forbidden', message('auth.permissionNeeded', { permission }));
  }
}
