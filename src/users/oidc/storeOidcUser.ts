import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { oidcUsername } from '../../auth/reservedUsernames';
import { ServiceError } from '../../common/errors';
import { collectionOf } from '../../db/collections';
import { derivedId, newStamps, updateStamps } from '../../db/records';
import { GuardFailed, inTransaction, isDuplicateKey, isTransient, withRetries } from '../../db/transaction';
import { orgResource } from '../../records/users/org';
import type { Role } from '../../records/users/permissions';
import { type User, userResource } from '../../records/users/user';
import { auditUser } from '../auditUser';
import { endSessionsOf } from '../endSessions';
import type { Claims } from './oidcProvider';

/** Who signs in: the claims of the provider and the roles they give here. */
export interface SigningIn {
  db: Connection;
  orgCode: string;
  claims: Claims;
  roles: Role[];
  now: Date;
}

/**
 * Makes the user of these claims at the first sign-in, and renews the name and the roles at each later one, with an entry
 * in the audit log for what changed. The id follows from issuer and subject, so users of two issuers never meet, whatever their names.
 * @throws ServiceError 1130 when the claims give no role here, or the user was deactivated; roles are taken away then
 */
export async function storeOidcUser(signingIn: SigningIn): Promise<User> {
  const { db, orgCode, claims, roles } = signingIn;
  const org = await collectionOf(db, orgResource).findOne({ code: orgCode });
  if (!org) throw new ServiceError('forbidden', `There is no org ${orgCode}`);
  const id = derivedId('oidc', org._id, claims.iss, claims.sub);
  const isWorthRetrying = (error: unknown) => isTransient(error) || isDuplicateKey(error);
  const user = await withRetries(() => renew(signingIn, org._id, id), { isWorthRetrying });
  if (!user || roles.length === 0) throw new ServiceError('forbidden', 'The OpenID provider gives you no role here');
  if (!user.isActive) throw new ServiceError('forbidden', 'Your user was deactivated');
  return user;
}

/** Writes what changed. A user who has no role and is not known is not made: the result is undefined. */
async function renew({ db, claims, roles, now }: SigningIn, org: ObjectId, id: ObjectId): Promise<User | undefined> {
  const users = collectionOf(db, userResource);
  const previous = await users.findOne({ _id: id, org });
  const username = oidcUsername(id, nameOf(claims));
  const author = { org, userId: id };
  const audited = { db, author: { ...author, username, via: 'api' as const }, now };
  if (!previous) {
    if (roles.length === 0) return undefined;
    const own = { username, roles, isActive: true, kind: 'oidc' as const, issuer: claims.iss, subject: claims.sub };
    const user: User = { ...newStamps(author, now, id), ...own };
    await inTransaction(db, async (session) => {
      await users.insertOne(user, { session });
      await auditUser({ ...audited, action: 'create' })(user, session);
    });
    return user;
  }
  if (previous.roles.join() === roles.join() && previous.username === username) return previous;
  return inTransaction(db, async (session) => {
    const same = { _id: id, org, updatedAt: previous.updatedAt, roles: previous.roles, isActive: previous.isActive };
    const set = { $set: { username, roles, ...updateStamps(author, now) } };
    const user = await users.findOneAndUpdate(same, set, { returnDocument: 'after', session });
    if (!user) throw new GuardFailed();
    if (roles.length === 0) await endSessionsOf(db, id, undefined, session);
    await auditUser({ ...audited, action: 'update' }, previous)(user, session);
    return user;
  });
}

/** How people know the user: the name at the provider, the e-mail address, or else the subject. */
function nameOf({ preferred_username: name, email, sub }: Claims): string {
  const first = [name, email, sub].find((each) => typeof each === 'string' && /\S/.test(each));
  return (
    String(first)
      .replace(/[\p{Control}\p{Surrogate}]/gu, '')
      .trim()
      .slice(0, 60)
      .trim() || 'user'
  );
}
