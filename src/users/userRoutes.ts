import { invalidField, ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { withRetries } from '../db/transaction';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import { uniqueFault } from '../http/collection/uniqueFault';
import type { Request, Route } from '../http/route';
import { orgResource } from '../records/users/org';
import { permissionsOf } from '../records/users/permissions';
import { type User, type UserProperties, userResource } from '../records/users/user';
import { changeUser, createUser, deleteUser, type UserChange, type UserFields } from './storeUser';

/** Routes that manage users. No user can grant a permission that they do not have. */
export const userRoutes: Route[] = collectionRoutes<UserProperties, UserFields>(userResource, {
  operations: ['list', 'count', 'read', 'create', 'update', 'delete'],
  async create(body, request, inCommit) {
    const { username = '', password = '', ...fields } = body;
    refuseGrant(request, fields.roles ?? []);
    try {
      return await createUser(changeBy(request), { username, password, ...fields }, inCommit);
    } catch (error) {
      throw uniqueFault(error, body);
    }
  },
  async update(user, body, request) {
    await refuseForeignPower(request, user);
    refuseGrant(request, body.roles ?? []);
    try {
      return await changeUser(changeBy(request), user, body);
    } catch (error) {
      throw uniqueFault(error, body);
    }
  },
  async remove(user, request) {
    await refuseForeignPower(request, user);
    const { clock } = request.services;
    await withRetries(() => deleteUser(changeBy(request), user), { now: () => clock.now().getTime() });
  },
});

function changeBy({ services, principal, now }: Request): UserChange {
  const { org, userId, sessionId } = principal;
  return { db: services.db, author: { org, userId }, via: 'api', now, ownSession: sessionId };
}

function refuseGrant({ services, principal }: Request, roles: readonly string[]): void {
  const beyond = [...permissionsOf(roles, services.resources)].find(
    (permission) => !principal.permissions.has(permission),
  );
  if (beyond) throw new ServiceError('forbidden', `You cannot grant ${beyond}, which you do not have`);
}

/**
 * Refuses to change a user with more permissions than the caller, who could otherwise set that user's password and log
 * in as that user. The system user cannot be changed at all.
 */
async function refuseForeignPower(request: Request, user: User): Promise<void> {
  const { services, principal } = request;
  const beyond = [...permissionsOf(user.roles, services.resources)].find(
    (permission) => !principal.permissions.has(permission),
  );
  if (beyond) throw new ServiceError('forbidden', `The user has ${beyond}, which you do not have`);
  const org = await collectionOf(services.db, orgResource).findOne({ _id: principal.org });
  if (org?.systemUser.equals(user._id)) throw invalidField('_id', 'inUse', 'is the system user of the org');
}
