import { type FieldError, invalidField, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import type { ApiKey } from '#records/users/apiKey';
import { collectPermissions, roleNames } from '#records/users/permissions';
import type { ApiKeyFields } from './storeApiKey';

/** Refuses to make a key that may do nothing. @throws ServiceError 1200 */
export function requireGrants({ permissions, roles }: Pick<ApiKeyFields, 'permissions' | 'roles'>): void {
  if (permissions.length + roles.length > 0) return;
  throw invalidField('roles', 'required', message('apiKeys.roleOrPermissions'));
}

/**
 * Checks what the schema of a key cannot express: its permissions exist, and it has not ended already.
 * @param fields of an update: those that change
 * @throws ServiceError 1200 naming every failing field
 */
export function requireValidGrants(
  { permissions = [], expiresAt }: Partial<ApiKeyFields>,
  { services, machineClock }: Pick<WriteContext, 'services' | 'machineClock'>,
): void {
  const known = collectPermissions(roleNames, services.resources);
  const faults = permissions.flatMap((permission, index): FieldError[] =>
    known.has(permission) ? [] : [{ path: `permissions.${index}`, kind: 'enum', ...message('apiKeys.noPermission') }],
  );
  const isPast = expiresAt !== undefined && expiresAt <= machineClock.now();
  const past: FieldError[] = isPast ? [{ path: 'expiresAt', kind: 'date', ...message('schema.notInFuture') }] : [];
  if (faults.length + past.length > 0) throw validationError([...faults, ...past]);
}

/**
 * Refuses to have an API key make or change a key, itself included, so that it lasts longer or may ask more often than
 * the key that asks. Otherwise a key for one day could extend itself forever.
 * @param kept the end and the limit that the key has after the change
 * @throws ServiceError 1130
 */
export function refuseOutlasting({ principal }: Pick<WriteContext, 'principal'>, kept: Kept): void {
  const { expiresAt, rateLimit } = principal.apiKey ?? {};
  if (expiresAt && !(kept.expiresAt && kept.expiresAt <= expiresAt)) {
    throw new ServiceError('forbidden', message('apiKeys.endsBefore', { date: expiresAt.toISOString() }));
  }
  if (rateLimit !== undefined && !(kept.rateLimit !== undefined && kept.rateLimit <= rateLimit)) {
    throw new ServiceError('forbidden', message('apiKeys.rateLimitAbove', { rateLimit }));
  }
}

type Kept = Partial<Pick<ApiKey, 'expiresAt' | 'rateLimit'>>;
