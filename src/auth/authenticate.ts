import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { type Org, orgResource } from '../db/org';
import { collectionOf } from '../db/resource';
import type { Services } from '../services';
import { permissionsOf } from './permissions';
import type { Principal } from './principal';
import { type Session, sessionResource } from './session';
import { type ReadToken, readToken, type TokenClaims, unauthenticated } from './token';
import { type User, userResource } from './user';

/** Tells who asks, from the `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** Tokens whose signature is not checked again. */
const signedTokensMax = 10_000;

interface Waiting {
  claims: TokenClaims;
  resolve(principal: Principal): void;
  reject(error: unknown): void;
}

/**
 * Makes the authentication of a process. Session and user are read for every request, never cached, so that a logout or
 * a changed user takes effect at once in every process; the requests that wait together are read in one query each,
 * since a query per request was measured to cost as much as posting an activity.
 * @throws ServiceError 1120
 */
export function createAuthenticate({ db, tokenKey, clock }: Pick<Services, 'db' | 'tokenKey' | 'clock'>): Authenticate {
  let waiting: Waiting[] = [];
  let isReading = false;

  async function readWaiting(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      await untilPause(() => waiting.length);
      const batch = waiting;
      waiting = [];
      await answerBatch(db, batch, clock.now());
    }
    isReading = false;
  }

  // What a token says never changes, so its signature is checked once; session and user are read every time.
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
    const claims = claimsOf(bearerOf(authorization));
    return new Promise((resolve, reject) => {
      waiting.push({ claims, resolve, reject });
      if (!isReading) void readWaiting();
    });
  };
}

/** Most turns of the event loop that a read waits for further requests to join it. */
const joinTurnsMax = 8;

/** Resolves once no request came within a turn of the event loop: answers that go out together bring requests together. */
async function untilPause(count: () => number): Promise<void> {
  let known: number;
  let turns = 0;
  do {
    known = count();
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  } while (count() > known && turns < joinTurnsMax);
}

function bearerOf(authorization: string | undefined): string {
  const [scheme = '', token, ...rest] = (authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw unauthenticated('A bearer token is needed in the Authorization header');
  }
  return token;
}

/** Never throws: a failed read is the answer of each request that waited for it. */
async function answerBatch(db: Connection, batch: Waiting[], now: Date): Promise<void> {
  try {
    const principals = await readPrincipals(
      db,
      batch.map(({ claims }) => claims),
      now,
    );
    for (const { claims, resolve, reject } of batch) {
      const principal = principals.get(keyOf(claims));
      if (principal) resolve(principal);
      else reject(unauthenticated('The session has ended'));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** Sessions with their users and orgs, in one round trip. */
async function readPrincipals(db: Connection, claims: TokenClaims[], now: Date): Promise<Map<string, Principal>> {
  const sessionIds = distinct(claims.map(({ sessionId }) => sessionId));
  const found = await collectionOf(db, sessionResource)
    .aggregate<Session & { users: User[]; orgs: Org[] }>([
      { $match: { _id: { $in: sessionIds }, expiresAt: { $gt: now } } },
      {
        $lookup: {
          from: userResource.path,
          localField: 'user',
          foreignField: '_id',
          as: 'users',
          pipeline: activeUser,
        },
      },
      {
        $lookup: {
          from: orgResource.path,
          localField: 'org',
          foreignField: '_id',
          as: 'orgs',
          pipeline: [{ $project: { definitionsVersion: 1, ruleSetVersion: 1 } }],
        },
      },
    ])
    .toArray();
  return new Map(
    found.flatMap(({ _id: sessionId, org, users: [user], orgs: [owner] }) => {
      if (!user?.org.equals(org)) return [];
      const { _id: userId, username } = user;
      const { definitionsVersion, ruleSetVersion } = owner ?? {};
      const versions = { definitionsVersion, ruleSetVersion, readAt: now };
      const permissions = permissionsOf(user.roles);
      const principal = { userId, org, username, sessionId, permissions, versions };
      return [[keyOf(principal), principal] as const];
    }),
  );
}

const activeUser = [{ $match: { isActive: true } }, { $project: { org: 1, username: 1, roles: 1 } }];

/** Session, user and org together: a token that mixes them finds nothing. */
function keyOf({ sessionId, userId, org }: TokenClaims): string {
  return `${sessionId.toHexString()}${userId.toHexString()}${org.toHexString()}`;
}

function distinct(ids: ObjectId[]): ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
