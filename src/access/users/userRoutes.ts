import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { withRetries } from '#base/db/transaction';
import { refuseGrant, requireOwnPermissions } from '#platform/auth/requireOwnPermissions';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { uniqueFault } from '#platform/recordWrites/uniqueFault';
import type { OrgContext, WriteContext } from '#platform/recordWrites/writeContext';
import { orgResource } from '#records/users/org';
import { collectPermissions } from '#records/users/permissions';
import { type User, type UserProperties, userResource } from '#records/users/user';
import { changeUser, createUser, deleteUser, type UserChange, type UserFields } from './storeUser';

/** No user can grant a permission that they do not have. */
const userWrites = defineWrites<UserProperties, UserFields>(userResource, {
  async create(body, context, inCommit) {
    const { username = '', password = '', ...fields } = body;
    refuseGrant(context.principal, collectPermissions(fields.roles ?? [], context.services.resources));
    try {
      return await createUser(changeBy(context), { username, password, ...fields }, inCommit);
    } catch (error) {
      throw uniqueFault(error, body);
    }
  },
  async update(user, body, context, inCommit) {
    await refuseForeignPower(context, user);
    refuseGrant(context.principal, collectPermissions(body.roles ?? [], context.services.resources));
    try {
      return await changeUser(changeBy(context), user, body, inCommit);
    } catch (error) {
      throw uniqueFault(error, body);
    }
  },
  async remove(user, context, inCommit) {
    await refuseForeignPower(context, user);
    const { machineClock: clock } = context;
    await withRetries(() => deleteUser(changeBy(context), user, inCommit), { now: () => clock.now().getTime() });
  },
});

/** Routes that manage users. */
export const userRoutes: Route[] = collectionRoutes(userWrites, { operations: allOperations });

function changeBy({ services, principal, machineClock }: WriteContext): UserChange {
  const { org, userId, sessionId } = principal;
  const own = sessionId ? { ownSession: sessionId } : {};
  return { db: services.db, author: { org, userId }, now: machineClock.now(), ...own };
}

/**
 * Refuses to change a user with more permissions than the caller, who could otherwise set that user's password and log
 * in as that user. The system user and the users of API keys cannot be changed at all.
 */
async function refuseForeignPower(context: OrgContext, user: User): Promise<void> {
  const { services, principal } = context;
  const ownPermissions = collectPermissions(user.roles, services.resources);
  requireOwnPermissions(principal, ownPermissions, (beyond) => message('users.hasBeyond', { permission: beyond }));
  if (user.kind === 'key') throw invalidField('_id', 'inUse', message('users.ofApiKey'));
  const org = await collectionOf(services.db, orgResource).findOne({ _id: principal.org });
  if (org?.systemUser.equals(user._id)) throw invalidField('_id', 'inUse', message('users.systemUser'));
}
