import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { inTransaction } from '#base/db/transaction';
import { comparable, folded } from '#base/schema/findable';
import { audit } from '#platform/audit/audit';
import { recordChange } from '#platform/audit/change';
import { hashPassword } from '#platform/auth/passwordHash';
import { refuseReservedUsername, systemUsername } from '#platform/auth/reservedUsernames';
import { type Org, orgResource, type Sandbox } from '#records/users/org';
import { userResource } from '#records/users/user';

/** A new org and its first user. */
export interface NewOrg {
  code: string;
  admin: { username: string; password: string };
  /** Present: it is a sandbox. */
  sandbox?: Sandbox;
  /** The code of the org whose definitions and rules it gets. */
  clonedFrom?: string;
}

/**
 * Makes an org with its system user and its first admin, in one transaction. Timers write in the name of the system
 * user, who cannot log in.
 * @throws the driver's duplicate key error when the org's code or a username is taken; ServiceError 1200 when the
 *   admin's name is reserved for system users
 */
export async function createOrg(db: Connection, { code, admin, sandbox, clonedFrom }: NewOrg, now: Date): Promise<Org> {
  refuseReservedUsername(admin.username);
  const system = { org: new ObjectId(), userId: new ObjectId() };
  const org = { ...newStamps(system, now, system.org), code, systemUser: system.userId, ...(sandbox && { sandbox }) };
  const users = [
    { ...newStamps(system, now, system.userId), username: systemUsername(code), roles: [], isActive: false },
    {
      ...newStamps(system, now),
      username: comparable(admin.username),
      usernameKey: folded(admin.username),
      passwordHash: await hashPassword(admin.password),
      roles: ['admin' as const],
      isActive: true,
    },
  ];
  await inTransaction(db, async (session) => {
    await collectionOf(db, orgResource).insertOne(org, { session });
    for (const user of users) await collectionOf(db, userResource).insertOne(user, { session });
    const made = { action: 'create', resource: orgResource.path, id: org._id, after: { code, clonedFrom } };
    const people = users.map((user) => recordChange(userResource, { action: 'create', id: user._id }, { after: user }));
    const auditor = { ...system, username: systemUsername(code), via: 'host' as const };
    await audit(db, session, auditor, now, [made, ...people]);
  });
  return org;
}
