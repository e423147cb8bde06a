import type { OidcConfig } from '#platform/infrastructure/oidcSettings';
import { isRole, type Role, roleNames } from '#records/users/permissions';

type RoleConfig = Pick<OidcConfig, 'rolesClaim' | 'roleMap'>;

/** Returns the roles that the claims of a user give here, strongest first; none when no value is mapped. */
export function rolesFromClaims(claims: Record<string, unknown>, { rolesClaim, roleMap }: RoleConfig): Role[] {
  const mappedRoles = claimValues(claimAt(claims, rolesClaim)).flatMap((value) => roleMap.get(value) ?? []);
  return roleNames.filter((role) => mappedRoles.filter(isRole).includes(role));
}

/** Tells whether a user has the claim with the roles, whatever its value. */
export function hasRolesClaim(
  claims: Record<string, unknown>,
  { rolesClaim }: Pick<OidcConfig, 'rolesClaim'>,
): boolean {
  return claimAt(claims, rolesClaim) !== undefined;
}

/** The most values, and the most characters of each, that a log line names. */
const loggedMax = { values: 5, characters: 60 } as const;

/** Why the claims of a user give no role here, for the log. */
export function whyNoRole(claims: Record<string, unknown>, { rolesClaim, roleMap }: RoleConfig): string {
  const claim = claimAt(claims, rolesClaim);
  const names = Object.keys(claims).slice(0, 20);
  if (claim === undefined) return `there is no claim ${rolesClaim}; there are ${logged(names, names.length)}`;
  const values = (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === 'string');
  if (values.length === 0) return `the claim ${rolesClaim} is neither a text nor a list of texts`;
  const mapped = logged([...roleMap.keys()], loggedMax.values);
  return `OIDC_ROLE_MAP has none of the values of ${rolesClaim}: ${logged(values, loggedMax.values)}; it has ${mapped}`;
}

function logged(texts: readonly string[], max: number): string {
  const shown = texts.slice(0, max).map((text) => JSON.stringify(text.slice(0, loggedMax.characters)));
  return shown.join(', ') + (texts.length > max ? `, and ${texts.length - max} more` : '');
}

/**
 * The value of a claim: the one of the whole name, else the one to which the dots lead. A part of the way may have dots
 * itself, as in `resource_access.my.client.roles`; a longer name wins.
 */
function claimAt(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const [first, rest] = [name.slice(0, dot), name.slice(dot + 1)];
    const found = Object.hasOwn(value, first) ? claimAt(Reflect.get(value, first), rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The values of a claim: a list of strings, or one string with words. */
function claimValues(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim, ...claim.split(/[ ,]+/)];
  return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : [];
}
