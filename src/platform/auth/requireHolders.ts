import { StartError } from '#base/common/startError';
import type { Resource } from '#base/schema/resource';
import { collectPermissions, roleNames } from '#records/users/permissions';

/** The fields of a route on which its permission depends. */
interface Guarded {
  method: string;
  path: string;
  permission: string;
}

/**
 * Refuses to start with a route that nobody may use.
 * @throws StartError with a line for each route with a permission that no role has
 */
export function requireHolders(routes: readonly Guarded[], resources: readonly Resource[]): void {
  const permissions = collectPermissions(roleNames, resources);
  const lines = routes
    .filter(({ permission }) => permission.includes(':') && !permissions.has(permission))
    .map(
      ({ method, path, permission }) =>
        `${method} ${path} needs the permission ${permission}, which no role has: give its resource an \`access\`, ` +
        'or name the permission in src/records/users/permissions.ts',
    );
  if (lines.length > 0) throw new StartError(lines.join('\n'));
}
