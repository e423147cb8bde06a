import { invalidField } from '../common/errors';

const prefix = 'system@';

/** The username of an org's system user. */
export function systemUsername(orgCode: string): string {
  return `${prefix}${orgCode}`;
}

/** Keeps names of system users for orgs that are made later. @throws ServiceError 1200 (kind `pattern`) */
export function refuseSystemUsername(username: string | undefined): void {
  if (username?.startsWith(prefix)) throw invalidField('username', 'pattern', `must not begin with ${prefix}`);
}
