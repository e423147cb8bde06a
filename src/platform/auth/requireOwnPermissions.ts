import { ServiceError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import type { Principal } from './principal';

/**
 * Refuses to give, change or take a power that the caller does not have.
 * @param say makes the message from the first missing permission
 * @throws ServiceError 1130
 */
export function requireOwnPermissions(
  { permissions: own }: Pick<Principal, 'permissions'>,
  permissions: ReadonlySet<string>,
  say: (permission: string) => Message,
): void {
  const beyond = [...permissions].find((permission) => !own.has(permission));
  if (beyond !== undefined) throw new ServiceError('forbidden', say(beyond));
}

/** Refuses to grant permissions that the caller does not have. @throws ServiceError 1130 */
export function refuseGrant(principal: Pick<Principal, 'permissions'>, permissions: ReadonlySet<string>): void {
  requireOwnPermissions(principal, permissions, (beyond) => message('auth.cannotGrant', { permission: beyond }));
}
