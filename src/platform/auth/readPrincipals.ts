import { timingSafeEqual } from 'node:crypto';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { distinctIds } from '#base/db/records';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { pickOrgVersions } from '#platform/orgs/orgVersions';
import { type ApiKey, apiKeyResource } from '#records/users/apiKey';
import { type Org, orgResource } from '#records/users/org';
import { permissionsOfKey } from '#records/users/permissions';
import { type Session, sessionResource } from '#records/users/session';
import { type User, userResource } from '#records/users/user';
import type { ApiKeyClaims } from './apiKeyText';
import type { Principal } from './principal';
import type { TokenClaims } from './token';

/** What a request says of itself: the ids in its token, or the id and the hash of its API key. */
export type Claims = TokenClaims | ApiKeyClaims;

/** Reads the principals of these claims, in one query. Claims that are not valid, or no longer, have no entry. */
export type ReadPrincipals = (claims: ReadonlySet<Claims>, now: Date) => Promise<Map<Claims, Principal>>;

/** Returns the permissions of roles, and of further names of permissions. */
type PermissionsOf = (roles: readonly string[], permissions?: readonly string[]) => ReadonlySet<string>;

/** The most API keys whose org is known to a process. The org of a key never changes. */
const orgsOfKeysMax = 10_000;

/** Makes the reader of the principals of a process. */
export function createReadPrincipals(db: Connection, resources: Infrastructure['resources']): ReadPrincipals {
  const permissions = rememberPermissions(resources);
  const orgsOfKeys = new LRUCache<string, ObjectId>({ max: orgsOfKeysMax });
  return async (batch, now) => {
    const claims = [...batch];
    const find = await readRecords(db, claims, (keyId) => orgsOfKeys.get(keyId.toHexString()));
    const known = { find, permissions, now };
    return new Map(
      claims.flatMap((each) => {
        const principal = 'keyId' in each ? principalOfKey(each, known) : buildPrincipal(each, known);
        if (principal?.apiKey) orgsOfKeys.set(principal.userId.toHexString(), principal.org);
        return principal ? [[each, principal] as const] : [];
      }),
    );
  };
}

/** The number of combinations of roles whose permissions are cached. */
const combinationsMax = 100;

function rememberPermissions(resources: Infrastructure['resources']): PermissionsOf {
  const known = new LRUCache<string, ReadonlySet<string>>({ max: combinationsMax });
  return (roles, named = []) => {
    const key = named.length === 0 ? roles.join() : `${roles.join()} ${named.join()}`;
    const permissions = known.get(key) ?? permissionsOfKey({ roles, permissions: named }, resources);
    known.set(key, permissions);
    return permissions;
  };
}

type Found = Session | User | Org | ApiKey;

/** Finds a record among those that were read. */
type Find = (id: ObjectId) => Found | undefined;

/**
 * Reads what the claims name, in one query: a union of queries by id. A `$lookup` of each session's user and org costs
 * MongoDB more (decision 24).
 * @param orgOfKey the org of an API key, when it is known; it is read too then
 */
async function readRecords(
  db: Connection,
  claims: readonly Claims[],
  orgOfKey: (keyId: ObjectId) => ObjectId | undefined,
): Promise<Find> {
  const tokens = claims.filter((each) => 'sessionId' in each);
  const keys = claims.filter((each) => 'keyId' in each);
  const orgs = [...tokens.map(({ org }) => org), ...keys.flatMap(({ keyId }) => orgOfKey(keyId) ?? [])];
  const [first, ...others] = [
    { from: sessionResource.path, pipeline: matchIds(tokens.map(({ sessionId }) => sessionId)) },
    {
      from: userResource.path,
      pipeline: matchIds(
        tokens.map(({ userId }) => userId),
        { $unset: 'passwordHash' },
      ),
    },
    { from: apiKeyResource.path, pipeline: matchIds(keys.map(({ keyId }) => keyId)) },
    { from: orgResource.path, pipeline: matchIds(orgs) },
  ].filter(({ pipeline }) => pipeline.length > 0);
  if (!first) return () => undefined;
  const unions = others.map(({ from, pipeline }) => ({ $unionWith: { coll: from, pipeline } }));
  const found = await db
    .collection(first.from)
    .aggregate<Found>([...first.pipeline, ...unions])
    .toArray();
  const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
  return (id) => byId.get(id.toHexString());
}

/**
 * Makes a pipeline that matches ids; an empty one for none. A single id is matched by equality, which MongoDB finds
 * without planning the query; `$in` is planned.
 */
function matchIds(ids: readonly ObjectId[], ...then: object[]): object[] {
  const [first, ...others] = distinctIds(ids);
  if (!first) return [];
  return [{ $match: { _id: others.length === 0 ? first : { $in: [first, ...others] } } }, ...then];
}

/** The stored records that claims are checked against. */
interface Known {
  find: Find;
  permissions: PermissionsOf;
  now: Date;
}

/**
 * Returns undefined when session, user and org do not belong together, the session has ended, or the user is inactive.
 */
function buildPrincipal({ sessionId, userId, org }: TokenClaims, known: Known): Principal | undefined {
  const [session, user, owner] = [sessionId, userId, org].map(known.find);
  if (!session || !('user' in session) || session.expiresAt <= known.now) return undefined;
  if (!session.user.equals(userId) || !session.org.equals(org)) return undefined;
  if (!user || !('isActive' in user) || !user.isActive || !user.org.equals(org)) return undefined;
  const versions = pickOrgVersions(owner && 'code' in owner ? owner : {}, known.now);
  return { userId, org, username: user.username, sessionId, permissions: known.permissions(user.roles), versions };
}

/** Returns undefined when there is no such key, or it or its secret has ended. */
function principalOfKey({ keyId, hash }: ApiKeyClaims, { find, permissions, now }: Known): Principal | undefined {
  const found = find(keyId);
  if (!found || !('secrets' in found)) return undefined;
  const { secrets, ...apiKey } = found;
  const { org, name, roles, expiresAt } = apiKey;
  if (expiresAt && expiresAt <= now) return undefined;
  const fitting = secrets.filter((secret) => isSame(secret.hash, hash));
  if (!fitting.some(({ endsAt }) => !endsAt || now < endsAt)) return undefined;
  const owner = find(org);
  const versions = owner && 'code' in owner ? { versions: pickOrgVersions(owner, now) } : {};
  const granted = permissions(roles, apiKey.permissions);
  return { userId: keyId, org, username: name, apiKey, permissions: granted, ...versions };
}

/** Compares hashes in constant time. */
function isSame(stored: string, presented: string): boolean {
  return stored.length === presented.length && timingSafeEqual(Buffer.from(stored), Buffer.from(presented));
}
