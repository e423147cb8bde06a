import { StartError } from '#base/common/startError';
import { requireHolders } from '#platform/auth/requireHolders';
import { collectPermissions, type Role, roleNames } from '#records/users/permissions';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';

/** The roles of some permissions (docs/design/users.md), written by hand: a few of each kind. */
const expected: [permission: string, ...roles: Role[]][] = [
  ['accrualitems:write', 'ledger-admin'],
  ['users:read', 'admin', 'ledger-admin'],
  ['users:create', 'admin', 'ledger-admin'],
  ['users:update', 'admin', 'ledger-admin'],
  ['users:delete', 'admin', 'ledger-admin'],
  ['apikeys:read', 'admin', 'ledger-admin'],
  ['apikeys:create', 'admin', 'ledger-admin'],
  ['apikeys:update', 'admin', 'ledger-admin'],
  ['apikeys:delete', 'admin', 'ledger-admin'],
  ['jobs:run', 'admin', 'ledger-admin'],
  ['sandbox:read', 'admin', 'ledger-admin'],
  ['sandbox:write', 'admin', 'ledger-admin'],
  ['member:merge', 'admin', 'ledger-admin'],
  ['member:erase', 'admin', 'ledger-admin'],
  ['jobs:read', 'admin', 'ledger-admin', 'program-manager', 'reader'],
  ['programs:read', ...roleNames],
  ['enums:read', 'admin', 'ledger-admin', 'program-manager', 'reader'],
  ['members:delete'],
  ['accrualitems:create'],
  ['sessions:read'],
  ['programs:update', 'admin', 'ledger-admin', 'program-manager'],
  ['tierpolicies:create', 'admin', 'ledger-admin', 'program-manager'],
  ['enums:delete', 'admin', 'ledger-admin', 'program-manager'],
  ['rules:check', 'admin', 'ledger-admin', 'program-manager'],
  ['simulations:read', 'admin', 'ledger-admin', 'program-manager', 'reader'],
  ['rules:simulate', 'admin', 'ledger-admin', 'program-manager'],
  ['cache:refresh', 'admin', 'ledger-admin', 'program-manager'],
  ['rulesets:read', 'admin', 'ledger-admin', 'program-manager', 'reader'],
  ['activity:post', 'admin', 'ledger-admin', 'client'],
  ['activity:cancel', 'admin', 'ledger-admin', 'client'],
  ['members:create', 'admin', 'ledger-admin', 'client'],
  ['members:update', 'admin', 'ledger-admin', 'client'],
  ['members:read', ...roleNames],
  ['accounts:delete', 'admin', 'ledger-admin', 'client'],
  ['accrualitems:read', ...roleNames],
  ['journal:read', ...roleNames],
  ['dailyaggregates:read', ...roleNames],
  ['activityhistories:read', ...roleNames],
];

test.each(expected)('the permission %s belongs to its roles', (permission, ...roles) => {
  const having = roleNames.filter((role) => collectPermissions([role], resources).has(permission));
  expect(having.sort()).toEqual([...roles].sort());
});

test('roles add up, and unknown ones give nothing', () => {
  const permissionsOf = (role: string) => [...collectPermissions([role], resources)];
  const [own, others] = [permissionsOf('client'), permissionsOf('program-manager')];
  expect([own.length > 0, others.some((each) => !own.includes(each))]).toEqual([true, true]);
  expect(collectPermissions(['client', 'program-manager'], resources)).toEqual(new Set([...own, ...others]));
  expect(collectPermissions(['constructor', 'root'], resources).size).toBe(0);
});

test('a route whose permission no role has is a reason not to start', () => {
  const routes = [...allRoutes, { method: 'GET', path: '/vouchers', permission: 'vouchers:read' }];
  const start = () => requireHolders(routes, resources);
  expect(start).toThrow(StartError);
  expect(start).toThrow(/^GET \/vouchers needs the permission vouchers:read, which no role has: [^\n]*$/);
  expect(() => requireHolders(allRoutes, resources)).not.toThrow();
});

test('only these routes are open', () => {
  const oidc = ['/login/oidc', '/login/oidc/callback', '/login/oidc/token'];
  const open = allRoutes.filter(({ permission }) => permission === 'open').map(({ path }) => path);
  expect(open.sort()).toEqual(['/health/live', '/health/ready', '/login', ...oidc, '/metrics']);
});
