import { type Access, type Resource, verbs } from '#base/schema/resource';

/** The names of all roles, strongest first. */
export const roleNames = ['ledger-admin', 'admin', 'program-manager', 'client', 'reader'] as const;

export type Role = (typeof roleNames)[number];

const admins: readonly Role[] = ['admin', 'ledger-admin'];
const managers: readonly Role[] = ['program-manager', ...admins];
const clients: readonly Role[] = ['client', ...admins];
const readers: readonly Role[] = ['reader', ...managers];

/** The roles that read and write the resources of each kind of access (docs/design/users.md). */
const rights: Record<Access, { read: readonly Role[]; write: readonly Role[] }> = {
  managed: { read: readers, write: managers },
  catalog: { read: roleNames, write: managers },
  customer: { read: roleNames, write: clients },
  ledger: { read: roleNames, write: [] },
  operation: { read: readers, write: [] },
  user: { read: admins, write: admins },
};

/** The permissions that are not made of a resource and a verb, each with the roles that have it. */
const special: Record<string, readonly Role[]> = {
  'activity:post': clients,
  'activity:cancel': clients,
  'member:merge': admins,
  'member:erase': admins,
  'member:export': admins,
  'cache:refresh': managers,
  'rules:check': managers,
  'rules:simulate': managers,
  'rules:publish': managers,
  'forecasts:read': readers,
  'imports:create': managers,
  'jobs:run': admins,
  'events:read': roleNames,
  'sandbox:read': admins,
  'sandbox:write': admins,
  'accrualitems:write': ['ledger-admin'],
};

/** The fields of a resource on which permissions depend. */
type Owned = Pick<Resource, 'access' | 'permissions'>;

/**
 * The permissions of a list of roles together; unknown roles give none.
 * @param resources all resources of the service
 */
export function collectPermissions(names: readonly string[], resources: readonly Owned[]): ReadonlySet<string> {
  const permissions = [...Object.entries(special), ...resources.flatMap(rightsTo)];
  return new Set(
    permissions.flatMap(([permission, roles]) => (roles.some((role) => names.includes(role)) ? permission : [])),
  );
}

/**
 * The permissions of an API key: those of its roles, and those it names. Names that no role has, such as those of an
 * older version, give none.
 */
export function permissionsOfKey(
  { roles, permissions }: { roles: readonly string[]; permissions: readonly string[] },
  resources: readonly Owned[],
): ReadonlySet<string> {
  const known = collectPermissions(roleNames, resources);
  return new Set([...collectPermissions(roles, resources), ...permissions.filter((each) => known.has(each))]);
}

/** The permissions of a resource, each with the roles that have it. */
function rightsTo({ access, permissions }: Owned): [string, readonly Role[]][] {
  if (!access) return [];
  const { read, write } = rights[access];
  return verbs
    .filter((verb) => !Object.hasOwn(special, permissions[verb]))
    .map((verb) => [permissions[verb], verb === 'read' ? read : write]);
}

/** Tells whether a string is the name of a role. */
export function isRole(name: string): name is Role {
  return roleNames.some((role) => role === name);
}
