import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { derivedId, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, hasLostRace, inTransaction, withRetries } from '#base/db/transaction';
import type { Auditor } from '#platform/audit/auditor';
import { oidcUsername } from '#platform/auth/reservedUsernames';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { orgResource } from '#records/users/org';
import type { Role } from '#records/users/permissions';
import { type User, userResource } from '#records/users/user';
import { auditUser } from '../auditUser';
import { endSessions } from '../endSessions';
import type { Claims } from './oidcProvider';

/** Who signs in: the claims of the provider and the roles they give here. */
export interface SigningIn {
  db: Connection;
  orgCode: string;
  claims: Claims;
  roles: Role[];
  now: Date;
  /** Where the request comes from, for the audit log. */
  from: Pick<Auditor, 'via' | 'ip' | 'requestId'>;
}

/**
 * Makes the user of these claims at the first sign-in, and renews the name and the roles at each later one, with an entry
 * of the audit log for what changed. The id follows from issuer and subject, so users of two issuers never meet, whatever
 * their names.
 * @throws ServiceError 1130 when the claims give no role here, or the user was deactivated; roles are taken away then
 */
export async function storeOidcUser(signingIn: SigningIn): Promise<User> {
  const { db, orgCode, claims, roles } = signingIn;
  const org = await collectionOf(db, orgResource).findOne({ code: orgCode });
  if (!org) throw new ServiceError('forbidden', message('users.noOrg', { code: orgCode }));
  const id = derivedId('oidc', org._id, claims.iss, claims.sub);
  const user = await withRetries(() => renew(signingIn, org._id, id), { isWorthRetrying: hasLostRace });
  if (!user || roles.length === 0) throw new ServiceError('forbidden', message('users.noRole'));
  if (!user.isActive) throw new ServiceError('forbidden', message('users.deactivated'));
  return user;
}

/** Writes what changed. A user who has no role and is not known is not made: the result is undefined. */
async function renew(signingIn: SigningIn, org: ObjectId, id: ObjectId): Promise<User | undefined> {
  const { db, claims, roles } = signingIn;
  const previous = await collectionOf(db, userResource).findOne({ _id: id, org });
  const username = oidcUsername(id, printableName(claims));
  if (previous && previous.roles.join() === roles.join() && previous.username === username) return previous;
  if (!previous && roles.length === 0) return undefined;
  const store = (session: ClientSession) =>
    previous ? change(signingIn, previous, username, session) : make(signingIn, { org, userId: id, username }, session);
  return serializedPerOrg(db, org, () => inTransaction(db, store));
}

async function make(
  { db, claims, roles, now, from }: SigningIn,
  own: { org: ObjectId; userId: ObjectId; username: string },
  session: ClientSession,
): Promise<User> {
  const { username, userId } = own;
  const vouched = { kind: 'oidc' as const, issuer: claims.iss, subject: claims.sub };
  const user: User = { ...newStamps(own, now, userId), username, roles, isActive: true, ...vouched };
  await collectionOf(db, userResource).insertOne(user, { session });
  await auditUser({ db, author: { ...own, ...from }, now, action: 'create' })(user, session);
  return user;
}

async function change(
  { db, roles, now, from }: SigningIn,
  previous: User,
  username: string,
  session: ClientSession,
): Promise<User> {
  const { _id, org, updatedAt, isActive } = previous;
  const author = { org, userId: _id, username, ...from };
  const same = { _id, org, updatedAt, isActive, roles: previous.roles };
  const set = { $set: { username, roles, ...updateStamps(author, now) } };
  const options = { returnDocument: 'after', session } as const;
  const user = await collectionOf(db, userResource).findOneAndUpdate(same, set, options);
  if (!user) throw new GuardFailed();
  if (roles.length === 0) await endSessions(db, _id, undefined, session);
  await auditUser({ db, author, now, action: 'update' }, previous)(user, session);
  return user;
}

/** How people know the user: the name at the provider, the e-mail address, or else the subject. */
function printableName({ preferred_username: name, email, sub }: Claims): string {
  const first = [name, email, sub].find((each) => typeof each === 'string' && /\S/.test(each));
  const printable = String(first).replace(/[\p{Control}\p{Surrogate}]/gu, '');
  return printable.trim().slice(0, 60).trim() || 'user';
}
