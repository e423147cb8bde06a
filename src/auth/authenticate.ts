import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import type { Backing } from '../backing/backing';
import { ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Author, distinctIds } from '../db/records';
import { type OrgVersions, versionsOf } from '../orgs/orgVersions';
import { type Org, orgResource } from '../records/users/org';
import { permissionsOf } from '../records/users/permissions';
import { type Session, sessionResource } from '../records/users/session';
import { type User, userResource } from '../records/users/user';
import { type ReadToken, readToken, type TokenClaims, unauthenticated } from './token';

/** The authenticated user of a request. User and session are read from MongoDB for every request. */
export interface Principal extends Author {
  username: string;
  sessionId: ObjectId;
  permissions: ReadonlySet<string>;
  /** Versions of the definitions and the rule set that were in force in the org when the user was read. */
  versions?: OrgVersions;
}

/** Returns the user of a request from its `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** The number of tokens whose claims are cached after their signature was verified. */
const signedTokensMax = 10_000;

type Sources = Pick<Backing, 'db' | 'resources' | 'tokenKey' | 'clock'>;

/** Returns the permissions of a user's roles. */
type PermissionsOf = (roles: readonly string[]) => ReadonlySet<string>;

/** The database, and the permissions of roles. */
interface Stored {
  db: Connection;
  permissionsOf: PermissionsOf;
}

interface Waiting {
  claims: TokenClaims;
  resolve(principal: Principal): void;
  reject(error: unknown): void;
}

/**
 * Makes the authentication of a process. Session and user are read for every request and never cached, so a logout or a
 * changed user takes effect at once in every process. One query reads them for all requests that wait at that moment:
 * in a measurement, a query for each request cost as much as posting an activity. The returned function throws
 * ServiceError 1120 when the token is missing, malformed or expired, or its session has ended.
 */
export function createAuthenticate({ db, resources, tokenKey, clock }: Sources): Authenticate {
  let waiting: Waiting[] = [];
  let isReading = false;
  const stored = { db, permissionsOf: rememberPermissions(resources) };

  async function readWaiting(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      await untilPause(() => waiting.length);
      const batch = waiting;
      waiting = [];
      await answerBatch(stored, batch, clock.now());
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
    const claims = claimsOf(bearerOf(authorization));
    return new Promise((resolve, reject) => {
      waiting.push({ claims, resolve, reject });
      if (!isReading) void readWaiting();
    });
  };
}

/** The number of combinations of roles whose permissions are cached. */
const combinationsMax = 100;

function rememberPermissions(resources: Backing['resources']): PermissionsOf {
  const known = new LRUCache<string, ReadonlySet<string>>({ max: combinationsMax });
  return (roles) => {
    const key = roles.join();
    const permissions = known.get(key) ?? permissionsOf(roles, resources);
    known.set(key, permissions);
    return permissions;
  };
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

function bearerOf(authorization: string | undefined): string {
  const [scheme = '', token, ...rest] = (authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw unauthenticated('A bearer token is needed in the Authorization header');
  }
  return token;
}

/** Answers every request of a batch. It never throws: when the read fails, each request is rejected with that error. */
async function answerBatch(services: Stored, batch: Waiting[], now: Date): Promise<void> {
  try {
    // Requests with the same token share one claims object, so the set holds each token once.
    const principals = await readPrincipals(services, new Set(batch.map(({ claims }) => claims)), now);
    for (const { claims, resolve, reject } of batch) {
      const principal = principals.get(claims);
      if (principal) resolve(principal);
      else reject(unauthenticated('The session has ended'));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** Reads the principals of all tokens with a valid session and an active user, in one query. */
async function readPrincipals(
  { db, permissionsOf }: Stored,
  asked: ReadonlySet<TokenClaims>,
  now: Date,
): Promise<Map<TokenClaims, Principal>> {
  const claims = [...asked];
  const users = [matchIds(claims.map(({ userId }) => userId)), { $unset: 'passwordHash' }];
  const orgs = [matchIds(claims.map(({ org }) => org))];
  // A union of three queries by id: a `$lookup` of each session's user and org costs MongoDB more (decision 24).
  const found = await collectionOf(db, sessionResource)
    .aggregate<Session | User | Org>([
      matchIds(claims.map(({ sessionId }) => sessionId)),
      { $unionWith: { coll: userResource.path, pipeline: users } },
      { $unionWith: { coll: orgResource.path, pipeline: orgs } },
    ])
    .toArray();
  const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
  return new Map(
    claims.flatMap((each) => {
      const principal = principalOf(each, { find: (id) => byId.get(id.toHexString()), permissionsOf, now });
      return principal ? [[each, principal] as const] : [];
    }),
  );
}

/**
 * Matches ids. A single id is matched by equality, which MongoDB finds without planning the query; `$in` is planned.
 */
function matchIds(ids: readonly ObjectId[]) {
  const [first, ...others] = distinctIds(ids);
  return { $match: { _id: others.length === 0 ? first : { $in: [first, ...others] } } };
}

/** The stored records that claims are checked against. */
interface Known extends Pick<Stored, 'permissionsOf'> {
  find(id: ObjectId): Session | User | Org | undefined;
  now: Date;
}

/**
 * Returns undefined when session, user and org do not belong together, the session has ended, or the user is inactive.
 */
function principalOf(
  { sessionId, userId, org }: TokenClaims,
  { find, permissionsOf, now }: Known,
): Principal | undefined {
  const [session, user, owner] = [find(sessionId), find(userId), find(org)];
  if (!session || !('expiresAt' in session) || session.expiresAt <= now) return undefined;
  if (!session.user.equals(userId) || !session.org.equals(org)) return undefined;
  if (!user || !('isActive' in user) || !user.isActive || !user.org.equals(org)) return undefined;
  const versions = versionsOf(owner && 'code' in owner ? owner : {}, now);
  const permissions = permissionsOf(user.roles);
  return { userId, org, username: user.username, sessionId, permissions, versions };
}

/**
 * Refuses the request of a user without this permission.
 * @throws ServiceError 1130 when the permission is missing
 */
export function requirePermission(principal: Principal, permission: string): void {
  if (!principal.permissions.has(permission)) {
    throw new ServiceError('forbidden', `Permission ${permission} is needed`);
  }
}
