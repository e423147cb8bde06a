import type { OidcConfig } from '../../backing/oidcSettings';
import { isRole, type Role, roleNames } from '../../records/users/permissions';

/** Returns the roles that the claims of a user give here, strongest first; none when no value is mapped. */
export function rolesOf(claims: Record<string, unknown>, config: Pick<OidcConfig, 'rolesClaim' | 'roleMap'>): Role[] {
  const given = valuesAt(claims, config.rolesClaim.split('.')).flatMap((value) => config.roleMap.get(value) ?? []);
  return roleNames.filter((role) => given.filter(isRole).includes(role));
}

/** The texts at a path: a list of texts, or one text with words. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  const [name, ...rest] = path;
  if (name !== undefined) {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isObject ? valuesAt(Reflect.get(value, name), rest) : [];
  }
  if (typeof value === 'string') return [value, ...value.split(/[ ,]+/)];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
