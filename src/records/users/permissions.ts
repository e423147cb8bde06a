import type { Resource } from '../../schema/resource';

const ruleWork = ['rules:check', 'rules:simulate', 'cache:refresh'];

const verbs = ['read', 'create', 'update', 'delete'] as const;

/** The fields of a resource on which permissions depend. */
type Owned = Pick<Resource, 'path' | 'access'>;

/** Every role and the permissions it gives (docs/design/users.md). */
function rolesOf(resources: readonly Owned[]): Record<Role, readonly string[]> {
  const pathsOf = (kind: Owned['access']) => resources.filter(({ access }) => access === kind).map(({ path }) => path);
  const [managed, ledger] = [pathsOf('managed'), pathsOf('ledger')];
  const reads = [...managed, ...ledger, 'members', 'accounts', 'rules', 'rulesets', 'jobs'].map(reading);
  const managing = [...reads, ...crud(managed), ...ruleWork];
  const members = ['members:read', 'members:create', 'members:update', ...crud(['accounts'])];
  const client = ['activity:post', 'activity:cancel', ...members, ...ledger.map(reading)];
  const admin = [...managing, ...client, ...crud(['users']), 'member:merge', 'member:erase', 'jobs:run'];
  return {
    admin,
    'ledger-admin': [...admin, 'accrualitems:write'],
    'program-manager': managing,
    client,
    reader: reads,
  };
}

/** The names of all roles, strongest first. */
export const roleNames = ['ledger-admin', 'admin', 'program-manager', 'client', 'reader'] as const;

export type Role = (typeof roleNames)[number];

/**
 * The permissions of a list of roles together; unknown roles give none.
 * @param resources all resources of the service
 */
export function permissionsOf(names: readonly string[], resources: readonly Owned[]): ReadonlySet<string> {
  const roles = rolesOf(resources);
  return new Set(names.flatMap((name) => (isRole(name) ? roles[name] : [])));
}

/** Tells whether a text is the name of a role. */
export function isRole(name: string): name is Role {
  return roleNames.some((role) => role === name);
}

function reading(path: string): string {
  return `${path}:read`;
}

function crud(paths: readonly string[]): string[] {
  return paths.flatMap((path) => verbs.map((verb) => `${path}:${verb}`));
}
