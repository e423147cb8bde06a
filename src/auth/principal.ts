import type { ObjectId } from 'bson';
import { ServiceError } from '../common/errors';
import type { Author } from '../db/records';
import type { OrgVersions } from '../orgs/orgVersions';

/** The authenticated user of a request. User and session are read from MongoDB for every request. */
export interface Principal extends Author {
  username: string;
  sessionId: ObjectId;
  permissions: ReadonlySet<string>;
  /** Versions of the definitions and the rule set that were in force in the org when the user was read. */
  versions?: OrgVersions;
}

/**
 * Refuses the request of a user without this permission.
 * @throws ServiceError 1130 when the permission is missing
 */
export function requirePermission(principal: Principal, permission: string): void {
  if (!principal.permissions.has(permission)) {
    throw new ServiceError('forbidden', `Permission ${permission} is needed`);
  }
}
