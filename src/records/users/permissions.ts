/** Kinds of records that programs are defined with: managed by program managers. */
const definitions = [
  'programs',
  'pursepolicies',
  'tierpolicies',
  'locations',
  'products',
  'offers',
  'rewards',
  'partners',
  'namedlists',
  'enums',
  'segments',
  'extschemas',
  'extdefs',
] as const;

const aggregates = [
  'dailyaggregates',
  'weeklyaggregates',
  'monthlyaggregates',
  'quarterlyaggregates',
  'halfyearaggregates',
  'yearaggregates',
  'lifetimeaggregates',
] as const;

/** What activities leave behind: read by integrating clients, written by the service. */
const ledger = [
  'activityhistories',
  'accrualitems',
  'journal',
  'issuedrewards',
  'tierhistories',
  ...aggregates,
] as const;

const ruleWork = ['rules:check', 'rules:simulate', 'cache:refresh'];

const verbs = ['read', 'create', 'update', 'delete'] as const;

const reads = [...definitions, ...ledger, 'members', 'accounts', 'rules', 'rulesets', 'jobs'].map(reading);

const definitionWrites = crud(definitions);

const clientWork = [
  'activity:post',
  'activity:cancel',
  'members:read',
  'members:create',
  'members:update',
  ...crud(['accounts']),
  ...ledger.map(reading),
];

const adminWork = [
  ...reads,
  ...definitionWrites,
  ...ruleWork,
  ...clientWork,
  ...crud(['users']),
  'member:merge',
  'member:erase',
  'jobs:run',
];

/** Every role and the permissions it gives (DESIGN 6). */
export const roles = {
  admin: adminWork,
  'ledger-admin': [...adminWork, 'accrualitems:write'],
  'program-manager': [...reads, ...definitionWrites, ...ruleWork],
  client: clientWork,
  reader: reads,
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof roles;

/** The names of all roles, strongest first as in DESIGN 6. */
export const roleNames = ['ledger-admin', 'admin', 'program-manager', 'client', 'reader'] as const satisfies Role[];

/** Gives the permissions that a list of roles adds up to; unknown roles give none. */
export function permissionsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => (isRole(name) ? [...roles[name]] : [])));
}

/** Tells whether a text names a role. */
export function isRole(name: string): name is Role {
  return Object.hasOwn(roles, name);
}

function reading(path: string): string {
  return `${path}:read`;
}

function crud(paths: readonly string[]): string[] {
  return paths.flatMap((path) => verbs.map((verb) => `${path}:${verb}`));
}
