import { hasRolesClaim, rolesFromClaims, whyNoRole } from '#access/users/oidc/rolesFromClaims';

const roleMap = new Map([
  ['managers', ['program-manager']],
  ['Loyalty Team', ['client', 'reader']],
  ['bosses', ['admin']],
]);

/** A claim as providers write it, the setting that names it, and the roles it gives. */
const claims: readonly (readonly [string, string, Record<string, unknown>, string[]])[] = [
  ['a list', 'roles', { roles: ['managers'] }, ['program-manager']],
  ['a text', 'roles', { roles: 'managers' }, ['program-manager']],
  ['a text with words', 'roles', { roles: 'others managers,bosses' }, ['admin', 'program-manager']],
  ['a text whose whole is mapped', 'roles', { roles: 'Loyalty Team' }, ['client', 'reader']],
  ['a way of dots (Keycloak)', 'realm_access.roles', { realm_access: { roles: ['bosses'] } }, ['admin']],
  ['an address (Auth0)', 'https://example.com/roles', { 'https://example.com/roles': ['bosses'] }, ['admin']],
  ['a client with dots', 'a.my.app.roles', { a: { 'my.app': { roles: ['bosses'] } } }, ['admin']],
  ['the whole name before the way', 'a.b', { 'a.b': ['bosses'], a: { b: ['managers'] } }, ['admin']],
  ['a longer name before a shorter', 'a.b.c', { 'a.b': { c: ['bosses'] }, a: { b: { c: ['managers'] } } }, ['admin']],
  ['a longer name that leads nowhere', 'a.b.c', { 'a.b': {}, a: { 'b.c': ['managers'] } }, ['program-manager']],
  ['dots at odd places', 'a..b.', { 'a..b.': ['bosses'] }, ['admin']],
  ['no claim', 'roles', { groups: ['bosses'] }, []],
  ['a number', 'roles', { roles: 7 }, []],
  ['an object', 'roles', { roles: { bosses: true } }, []],
  ['a list of other things', 'roles', { roles: [7, null, { name: 'bosses' }] }, []],
  ['an inherited name', 'constructor.name', {}, []],
];

test.each(claims)('the roles are read from %s in the claim %s', (_what, rolesClaim, input, expected) => {
  expect(rolesFromClaims(input, { rolesClaim, roleMap })).toEqual(expected);
  expect(hasRolesClaim(input, { rolesClaim })).toBe(!['no claim', 'an inherited name'].includes(_what));
});

test.each([
  ['groups', { roles: ['bosses'], sub: 'eve' }, 'there is no claim groups; there are "roles", "sub"'],
  ['roles', { roles: { bosses: true } }, 'the claim roles is neither a text nor a list of texts'],
  [
    'roles',
    { roles: ['x'.repeat(100), 'guests'] },
    `OIDC_ROLE_MAP has none of the values of roles: "${'x'.repeat(60)}", "guests"; it has "managers", "Loyalty Team", "bosses"`,
  ],
])('the reason why the claim %s gives no role is one line', (rolesClaim, input, expected) => {
  expect(whyNoRole(input, { rolesClaim, roleMap })).toBe(expected);
});
