import type { ObjectId } from 'bson';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { folded } from '#base/schema/findable';

const reserved = { system: 'system@', key: 'key@', oidc: 'oidc@' } as const;

/** Returns the username of an org's system user. */
export function systemUsername(orgCode: string): string {
  return `${reserved.system}${orgCode}`;
}

/** Returns the username of the user that represents an API key. The id makes it unique over all orgs. */
export function apiKeyUsername(id: ObjectId, name: string): string {
  return `${reserved.key}${id.toHexString()}:${name}`;
}

/** Returns the username of a user who signs in at the OpenID provider. */
export function oidcUsername(id: ObjectId, name: string): string {
  return `${reserved.oidc}${id.toHexString()}:${name}`;
}

/**
 * Refuses names that are reserved for the system users of orgs and the users of API keys and OIDC.
 * @throws ServiceError 1200 (kind `pattern`)
 */
export function refuseReservedUsername(username: string | undefined): void {
  const prefix = Object.values(reserved).find((each) => username !== undefined && folded(username).startsWith(each));
  if (prefix) throw invalidField('username', 'pattern', message('schema.beginsWith', { prefix }));
}
