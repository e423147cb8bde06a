import { invalidField } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { withRetries } from '#base/db/transaction';
import { refuseBeyond, refuseGrant } from '#platform/auth/refuseBeyond';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import { uniqueFault } from '#platform/http/collection/uniqueFault';
import type { Request, Route } from '#platform/http/route';
import { orgResource } from '#records/users/org';
import { permissionsOf } from '#records/users/permissions';
import { type User, type UserProperties, userResource } from '#records/users/user';
import { changeUser, createUser, deleteUser, type UserChange, type UserFields } from './storeUser';

/** Routes that manage users. No user can grant a permission that they do not have. */
export const userRoutes: Route[] = collectionRoutes<UserProperties, UserFields>(userResource, {
  operations: ['list', 'count', 'read', 'create', 'update', 'delete'],
  async create(body, request, inCommit) {
    const { username = '', password = '', ...fields } = body;
    refuseGrant(request.principal, permissionsOf(fields.roles ?? [], request.services.resources));
    try {
      return await createUser(changeBy(request), { username, password, ...fields }, inCommit);
    } catch (error) {
      throw uniqueFault(error, body);
    }
  },
  async update(user, body, request, inCommit) {
    await refuseForeignPower(request, user);
    refuseGrant(request.principal, permissionsOf(body.roles ?? [], request.services.resources));
    try {
      return await changeUser(changeBy(request), user, body, inCommit);
    } catch (error) {
      throw uniqueFault(error, body);
    }
  },
  async remove(user, request, inCommit) {
    await refuseForeignPower(request, user);
    const { machineClock: clock } = request;
    await withRetries(() => deleteUser(changeBy(request), user, inCommit), { now: () => clock.now().getTime() });
  },
});

function changeBy({ services, principal, machineClock }: Request): UserChange {
  const { org, userId, sessionId } = principal;
  const own = sessionId ? { ownSession: sessionId } : {};
  return { db: services.db, author: { org, userId }, now: machineClock.now(), ...own };
}

/**
 * Refuses to change a user with more permissions than the caller, who could otherwise set that user's password and log
 * in as that user. The system user and those of API keys cannot be changed at all.
 */
async function refuseForeignPower(request: Request, user: User): Promise<void> {
  const { services, principal } = request;
  const held = permissionsOf(user.roles, services.resources);
  refuseBeyond(principal, held, (beyond) => `The user has ${beyond}, which you do not have`);
  if (user.kind === 'key') throw invalidField('_id', 'inUse', 'stands for an API key');
  const org = await collectionOf(services.db, orgResource).findOne({ _id: principal.org });
  if (org?.systemUser.equals(user._id)) throw invalidField('_id', 'inUse', 'is the system user of the org');
}
