import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Backing } from '../backing/backing';
import { collectionOf } from '../db/collections';
import { distinctIds } from '../db/distinctIds';
import { type Org, orgResource } from '../records/users/org';
import { permissionsOf } from '../records/users/permissions';
import { type Session, sessionResource } from '../records/users/session';
import { type User, userResource } from '../records/users/user';
import type { Principal } from './principal';
import { type ReadToken, readToken, type TokenClaims, unauthenticated } from './token';

/** Tells who asks, from the `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** Tokens whose signature is not checked again. */
const signedTokensMax = 10_000;

type Sources = Pick<Backing, 'db' | 'resources' | 'tokenKey' | 'clock'>;

/** What users and their permissions are read from. */
type Stored = Pick<Sources, 'db' | 'resources'>;

interface Waiting {
  claims: TokenClaims;
  resolve(principal: Principal): void;
  reject(error: unknown): void;
}

/**
 * Makes the authentication of a process. Session and user are read for every request, never cached, so that a logout or
 * a changed user takes effect at once in every process; those of all requests that wait together are read in one query,
 * since a query per request was measured to cost as much as posting an activity.
 * @throws ServiceError 1120
 */
export function createAuthenticate({ db, resources, tokenKey, clock }: Sources): Authenticate {
  let waiting: Waiting[] = [];
  let isReading = false;

  async function readWaiting(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      await untilPause(() => waiting.length);
      const batch = waiting;
      waiting = [];
      await answerBatch({ db, resources }, batch, clock.now());
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
async function answerBatch(services: Stored, batch: Waiting[], now: Date): Promise<void> {
  try {
    // Requests with one token have one object of claims.
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

/** The principals of tokens whose session lives and whose user is active: all that is needed of them in one round trip. */
async function readPrincipals(
  { db, resources }: Stored,
  asked: ReadonlySet<TokenClaims>,
  now: Date,
): Promise<Map<TokenClaims, Principal>> {
  const claims = [...asked];
  const users = [matchIds(claims.map(({ userId }) => userId)), { $unset: 'passwordHash' }];
  const orgs = [matchIds(claims.map(({ org }) => org))];
  // A union of what the tokens name, because looking up each session's user and org costs MongoDB more (decision 24).
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
      const principal = principalOf(each, { find: (id) => byId.get(id.toHexString()), resources, now });
      return principal ? [[each, principal] as const] : [];
    }),
  );
}

/** An equality of one id is found without a plan; a list of one is planned. */
function matchIds(ids: readonly ObjectId[]) {
  const [first, ...others] = distinctIds(ids);
  return { $match: { _id: others.length === 0 ? first : { $in: [first, ...others] } } };
}

/** What tokens are compared with. */
interface Known extends Pick<Backing, 'resources'> {
  find(id: ObjectId): Session | User | Org | undefined;
  now: Date;
}

/** Undefined when the token names what does not belong together, or is over. */
function principalOf({ sessionId, userId, org }: TokenClaims, { find, resources, now }: Known): Principal | undefined {
  const [session, user, owner] = [find(sessionId), find(userId), find(org)];
  if (!session || !('expiresAt' in session) || session.expiresAt <= now) return undefined;
  if (!session.user.equals(userId) || !session.org.equals(org)) return undefined;
  if (!user || !('isActive' in user) || !user.isActive || !user.org.equals(org)) return undefined;
  const { definitionsVersion, ruleSetVersion } = owner && 'code' in owner ? owner : {};
  const versions = { definitionsVersion, ruleSetVersion, readAt: now };
  const permissions = permissionsOf(user.roles, resources);
  return { userId, org, username: user.username, sessionId, permissions, versions };
}
