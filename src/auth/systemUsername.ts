import { invalidField } from '../common/errors';

const prefix = 'system@';

/** Returns the username of an org's system user. */
export function systemUsername(orgCode: string): string {
  return `${prefix}${orgCode}`;
}

/** Refuses names that are reserved for the system users of orgs. @throws ServiceError 1200 (kind `pattern`) */
export function refuseSystemUsername(username: string | undefined): void {
  if (username?.startsWith(prefix)) throw invalidField('username', 'pattern', `must not begin with ${prefix}`);
}
