import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { hashPassword } from '../auth/passwordHash';
import { refuseSystemUsername } from '../auth/systemUsername';
import { invalidField } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Author, newStamps, updateStamps } from '../db/records';
import { GuardFailed, type InCommit, inTransaction } from '../db/transaction';
import { type AuditEntry, audit } from '../records/users/auditEntry';
import { forgetLogins } from '../records/users/knownLogin';
import { orgResource } from '../records/users/org';
import { type User, userResource } from '../records/users/user';
import { endSessionsOf } from './endSessions';

/** The fields of a user that can be set. */
export interface UserFields {
  username?: string;
  password?: string;
  roles?: User['roles'];
  isActive?: boolean;
}

/** Who changes a user, and from where (`via`). A password change does not end `ownSession`, the caller's session. */
export interface UserChange {
  db: Connection;
  author: Author;
  via: AuditEntry['via'];
  now: Date;
  ownSession?: ObjectId;
}

/** Makes a user and its audit entry. @throws ServiceError 1200 when the name is reserved for system users */
export async function createUser(
  { db, author, via, now }: UserChange,
  { password, ...fields }: UserFields & Required<Pick<UserFields, 'username' | 'password'>>,
  inCommit?: InCommit<User>,
): Promise<User> {
  refuseSystemUsername(fields.username);
  const user: User = {
    ...newStamps(author, now, new ObjectId()),
    ...{ roles: [], isActive: true, ...fields },
    passwordHash: await hashPassword(password),
  };
  await inTransaction(db, async (session) => {
    await collectionOf(db, userResource).insertOne(user, { session });
    await audit(db, author, { action: 'create', via, ...auditedOf(user) }, now, session);
    await inCommit?.(user, session);
  });
  return user;
}

/**
 * Changes a user, in one transaction with the audit entries. A new password and a deactivation also end the user's
 * sessions. The change takes effect at once, because every request reads its user.
 * @throws ServiceError 1200 when the org would have no active admin (kind `inUse`) or the name is reserved for system
 *   users; {@link GuardFailed} when another request changed the user meanwhile
 */
export async function changeUser(
  change: UserChange,
  previous: User,
  fields: UserFields,
  inCommit?: InCommit<User>,
): Promise<User> {
  const { db, author, via, now, ownSession } = change;
  const { password, ...rest } = fields;
  if (rest.username !== previous.username) refuseSystemUsername(rest.username);
  const hashed = password === undefined ? {} : { passwordHash: await hashPassword(password) };
  const set = { ...rest, ...hashed, ...updateStamps(author, now) };
  return inTransaction(db, async (session) => {
    await requireAdminLeft(db, previous, { ...previous, ...rest }, session);
    const users = collectionOf(db, userResource);
    const same = { _id: previous._id, org: previous.org, updatedAt: previous.updatedAt };
    const user = await users.findOneAndUpdate(same, { $set: set }, { returnDocument: 'after', session });
    if (!user) throw new GuardFailed();
    const endsSessions = password !== undefined || fields.isActive === false;
    if (endsSessions) await endSessionsOf(db, user._id, ownSession, session);
    for (const action of actionsOf(fields)) await audit(db, author, { action, via, ...auditedOf(user) }, now, session);
    await inCommit?.(user, session);
    return user;
  });
}

/**
 * Deletes a user and its sessions.
 * @throws as {@link changeUser}
 */
export async function deleteUser({ db, author, via, now }: UserChange, user: User): Promise<void> {
  await inTransaction(db, async (session) => {
    await requireAdminLeft(db, user, undefined, session);
    await collectionOf(db, userResource).deleteOne({ _id: user._id, org: user.org }, { session });
    await endSessionsOf(db, user._id, undefined, session);
    await forgetLogins(db, user._id, session);
    await audit(db, author, { action: 'delete', via, ...auditedOf(user) }, now, session);
  });
}

function actionsOf({ password, roles, isActive }: UserFields): AuditEntry['action'][] {
  return [
    ...(roles ? (['roles'] as const) : []),
    ...(password === undefined ? [] : (['password'] as const)),
    ...(isActive === undefined ? [] : (['activation'] as const)),
  ];
}

function auditedOf({ _id, username, roles }: User): Pick<AuditEntry, 'user' | 'username' | 'roles'> {
  return { user: _id, username, roles };
}

const adminRoles: User['roles'] = ['admin', 'ledger-admin'];

/**
 * Refuses a change that leaves the org without an active admin, because only a command at the host could repair that.
 */
async function requireAdminLeft(
  db: Connection,
  before: User,
  after: User | undefined,
  session: ClientSession,
): Promise<void> {
  if (!isAdmin(before) || (after && isAdmin(after))) return;
  // Both of two admins who remove each other at once write the org, so their transactions conflict.
  await collectionOf(db, orgResource).updateOne({ _id: before.org }, { $inc: { adminChanges: 1 } }, { session });
  const another = { org: before.org, _id: { $ne: before._id }, isActive: true, roles: { $in: adminRoles } };
  if (await collectionOf(db, userResource).findOne(another, { session, projection: { _id: 1 } })) return;
  throw invalidField('roles', 'inUse', 'is the last active admin of the org');
}

function isAdmin({ isActive, roles }: User): boolean {
  return isActive && roles.some((role) => adminRoles.includes(role));
}
