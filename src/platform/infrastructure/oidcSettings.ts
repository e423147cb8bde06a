import { type Static, Type } from '@sinclair/typebox';
import { pushTo } from '#base/common/lists/groupBy';

/** The settings of the sign-in of staff at an OpenID provider. Without OIDC_ISSUER there is none. */
export const oidcSettings = {
  OIDC_ISSUER: Type.Optional(
    Type.String({
      pattern: '^(https://|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])[:/]).*$',
      maxLength: 500,
      description: 'OpenID provider at which staff may sign in; https, or http at loopback; unset: none',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Id of this service at the OpenID provider' }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({ minLength: 8, maxLength: 4000, description: 'Secret of this service at the OpenID provider' }),
  ),
  OIDC_REDIRECT_URI: Type.Optional(
    Type.String({
      pattern: '^https?://[^#?]+/api/v1/login/oidc/callback$',
      maxLength: 500,
      description: 'Where the provider sends browsers back; unset: /api/v1/login/oidc/callback at HOST and PORT',
    }),
  ),
  OIDC_ROLES_CLAIM: Type.String({
    minLength: 1,
    maxLength: 200,
    default: 'roles',
    description:
      'Claim with the groups or roles of a user: its whole name, as in https://example.com/roles, or the way to it with dots, as in realm_access.roles',
  }),
  OIDC_ROLE_MAP: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Roles here for values of that claim: managers=program-manager,till=client',
    }),
  ),
  OIDC_SCOPES: Type.String({
    pattern: '^(.* )?openid( .*)?$',
    maxLength: 500,
    default: 'openid profile email',
    description: 'Scopes that are asked of the OpenID provider',
  }),
};

const _schema = Type.Object(oidcSettings);

/** The settings of OIDC as they were read. */
export interface OidcInput extends Static<typeof _schema> {
  HOST: string;
  PORT: number;
}

/** The sign-in at an OpenID provider, as it is used. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  rolesClaim: string;
  /** The names of roles by values of the claim. */
  roleMap: ReadonlyMap<string, readonly string[]>;
  scopes: string;
}

/**
 * Reads the settings of OIDC; `oidc` is undefined without an issuer.
 * @param roleNames the roles that users may have
 * @returns a line for each setting that is missing or wrong, too
 */
export function readOidc(input: OidcInput, roleNames: readonly string[]): { oidc?: OidcConfig; faults: string[] } {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = input;
  if (issuer === undefined) return { faults: [] };
  const redirectUri = input.OIDC_REDIRECT_URI ?? ownRedirect(input);
  const { roleMap, faults: wrong } = readRoleMap(input.OIDC_ROLE_MAP ?? '', roleNames);
  const faults = [
    clientId === undefined ? ['OIDC_CLIENT_ID is required with OIDC_ISSUER'] : [],
    clientSecret === undefined ? ['OIDC_CLIENT_SECRET is required with OIDC_ISSUER'] : [],
    redirectUri === undefined ? ['OIDC_REDIRECT_URI is required with OIDC_ISSUER unless HOST is loopback'] : [],
    wrong,
  ].flat();
  if (clientId === undefined || clientSecret === undefined || redirectUri === undefined) return { faults };
  const { OIDC_ROLES_CLAIM: rolesClaim, OIDC_SCOPES: scopes } = input;
  return { oidc: { issuer, clientId, clientSecret, redirectUri, rolesClaim, roleMap, scopes }, faults };
}

/** Behind a proxy, or at other addresses, the service does not know by which name browsers reach it. */
function ownRedirect({ HOST, PORT }: OidcInput): string | undefined {
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(HOST);
  if (!isLoopback || PORT === 0) return undefined;
  return `http://${HOST === '::1' ? '[::1]' : HOST}:${PORT}/api/v1/login/oidc/callback`;
}

/** Reads `<value>=<role>` pairs, separated by commas. A value may be in several pairs. */
function readRoleMap(text: string, roleNames: readonly string[]) {
  const roleMap = new Map<string, string[]>();
  const faults: string[] = [];
  const pairs = text.split(',').map((pair) => pair.trim());
  for (const pair of pairs.filter(Boolean)) {
    const at = pair.lastIndexOf('=');
    const [value, role] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    if (value === '' || !roleNames.includes(role)) {
      faults.push(`OIDC_ROLE_MAP has ${JSON.stringify(pair)}, which is not <value>=<${roleNames.join('|')}>`);
    } else pushTo(roleMap, value, role);
  }
  if (roleMap.size === 0 && faults.length === 0) faults.push('OIDC_ROLE_MAP is required with OIDC_ISSUER');
  return { roleMap, faults };
}
