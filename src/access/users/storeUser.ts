import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { type Author, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, type InCommit, inTransaction, withRetries } from '#base/db/transaction';
import { comparable, folded } from '#base/schema/findable';
import { hashPassword } from '#platform/auth/passwordHash';
import { refuseReservedUsername } from '#platform/auth/reservedUsernames';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { forgetLogins } from '#records/users/knownLogin';
import { orgResource } from '#records/users/org';
import { type User, userResource } from '#records/users/user';
import { endSessions } from './endSessions';

/** The fields of a user that can be set. */
export interface UserFields {
  username?: string;
  password?: string;
  roles?: User['roles'];
  isActive?: boolean;
}

/** Who changes a user. A password change does not end `ownSession`, the caller's session. */
export interface UserChange {
  db: Connection;
  author: Author;
  now: Date;
  ownSession?: ObjectId;
}

/**
 * Makes a user.
 * @param inCommit appends to the audit log, as in the other functions of this file
 * @throws ServiceError 1200 when the name is reserved for system users
 */
export async function createUser(
  { db, author, now }: UserChange,
  { password, ...fields }: UserFields & Required<Pick<UserFields, 'username' | 'password'>>,
  inCommit?: InCommit<User>,
): Promise<User> {
  const username = comparable(fields.username);
  refuseReservedUsername(username);
  const user: User = {
    ...newStamps(author, now, new ObjectId()),
    roles: [],
    isActive: true,
    ...fields,
    username,
    usernameKey: folded(username),
    passwordHash: await hashPassword(password),
  };
  const store = async (session: ClientSession) => {
    await collectionOf(db, userResource).insertOne(user, { session });
    await inCommit?.(user, session);
  };
  await serializedPerOrg(db, author.org, () => withRetries(() => inTransaction(db, store), {}));
  return user;
}

/**
 * Changes a user. A new password and a deactivation also end the user's
 * sessions. The change takes effect at once, because every request reads its user.
 * @throws ServiceError 1200 when the org would have no active admin (kind `inUse`), the name is reserved, or the user is
 *   one of OIDC or of an API key (kind `readOnly`); {@link GuardFailed} when another request changed the user meanwhile
 */
export async function changeUser(
  change: UserChange,
  previous: User,
  fields: UserFields,
  inCommit?: InCommit<User>,
): Promise<User> {
  const { db, author, now, ownSession } = change;
  const { password, ...rest } = fields;
  refuseManaged(previous, fields);
  if (rest.username !== previous.username) refuseReservedUsername(rest.username);
  const hashed = password === undefined ? {} : { passwordHash: await hashPassword(password) };
  const keyed = rest.username === undefined ? {} : { usernameKey: folded(rest.username) };
  const set = { ...rest, ...keyed, ...hashed, ...updateStamps(author, now) };
  const store = async (session: ClientSession) => {
    await requireAdminLeft(db, previous, { ...previous, ...rest }, session);
    const users = collectionOf(db, userResource);
    const same = { _id: previous._id, org: previous.org, updatedAt: previous.updatedAt };
    const user = await users.findOneAndUpdate(same, { $set: set }, { returnDocument: 'after', session });
    if (!user) throw new GuardFailed();
    const endsSessions = password !== undefined || fields.isActive === false;
    if (endsSessions) await endSessions(db, user._id, ownSession, session);
    await inCommit?.(user, session);
    return user;
  };
  return serializedPerOrg(db, author.org, () => inTransaction(db, store));
}

/**
 * Refuses to change what is managed elsewhere: for users of OIDC what the provider gives, for users of API keys
 * everything.
 */
function refuseManaged({ kind }: User, fields: UserFields): void {
  const free = kind === 'oidc' ? ['isActive'] : [];
  const locked = kind ? Object.keys(fields).filter((name) => !free.includes(name)) : [];
  const fault = kind === 'key' ? message('users.belongsToKey') : message('users.fromProvider');
  if (locked.length > 0) throw validationError(locked.map((path) => ({ path, kind: 'readOnly', ...fault })));
}

/**
 * Deletes a user and its sessions.
 * @throws as {@link changeUser}
 */
export async function deleteUser(
  { db, author }: Pick<UserChange, 'db' | 'author'>,
  user: User,
  inCommit?: InCommit<User>,
): Promise<void> {
  const remove = async (session: ClientSession) => {
    await requireAdminLeft(db, user, undefined, session);
    const same = { _id: user._id, org: user.org };
    const deleted = await collectionOf(db, userResource).findOneAndDelete(same, { session });
    await endSessions(db, user._id, undefined, session);
    await forgetLogins(db, user._id, session);
    if (deleted) await inCommit?.(deleted, session);
  };
  await serializedPerOrg(db, author.org, () => inTransaction(db, remove));
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
  throw invalidField('roles', 'inUse', message('users.lastAdmin'));
}

function isAdmin({ isActive, roles }: User): boolean {
  return isActive && roles.some((role) => adminRoles.includes(role));
}
