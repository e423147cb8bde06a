import type { ObjectId } from 'bson';
import { ServiceError } from '../common/errors';
import type { Author } from '../db/records';
import type { OrgVersions } from '../orgs/orgVersions';

/** The authenticated user of a request: read from the store for every request, never from the token alone. */
export interface Principal extends Author {
  username: string;
  sessionId: ObjectId;
  permissions: ReadonlySet<string>;
  /** What was in force in the org when the request came. */
  versions?: OrgVersions;
}

/**
 * Refuses the request of a user without this permission.
 * @throws ServiceError 1130
 */
export function requirePermission(principal: Principal, permission: string): void {
  if (!principal.permissions.has(permission)) {
    throw new ServiceError('forbidden', `Permission ${permission} is needed`);
  }
}
