import { type FieldError, invalidField, validationError } from '../common/errors';
import type { Request } from '../http/route';
import { permissionsOf, roleNames } from '../records/users/permissions';
import type { ApiKeyFields } from './storeApiKey';

/** Refuses to make a key that may do nothing. @throws ServiceError 1200 */
export function requireGrants({ permissions, roles }: Pick<ApiKeyFields, 'permissions' | 'roles'>): void {
  if (permissions.length + roles.length > 0) return;
  throw invalidField('roles', 'required', 'or permissions must say what the key may do');
}

/**
 * Checks what the schema of a key cannot express: its permissions exist, and it has not ended already.
 * @param fields of an update: those that change
 * @throws ServiceError 1200 naming every failing field
 */
export function requireFit(
  { permissions = [], expiresAt }: Partial<ApiKeyFields>,
  { services, machineClock }: Pick<Request, 'services' | 'machineClock'>,
): void {
  const known = permissionsOf(roleNames, services.resources);
  const faults = permissions.flatMap((permission, index): FieldError[] =>
    known.has(permission)
      ? []
      : [{ path: `permissions.${index}`, kind: 'enum', message: 'is no permission of the service' }],
  );
  const isPast = expiresAt !== undefined && expiresAt <= machineClock.now();
  const past: FieldError[] = isPast ? [{ path: 'expiresAt', kind: 'date', message: 'must be in the future' }] : [];
  if (faults.length + past.length > 0) throw validationError([...faults, ...past]);
}
