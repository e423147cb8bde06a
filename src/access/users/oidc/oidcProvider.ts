import type { BaseClient, TokenSet } from 'openid-client';
import type { Logger } from 'pino';
import { ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { createSemaphore } from '#base/limits/semaphore';
import type { OidcConfig } from '#platform/infrastructure/oidcSettings';
import type { Flow } from './encryptedState';
import { hasRolesClaim } from './rolesFromClaims';

/** The claims of a user that the provider vouches for. */
export type Claims = Record<string, unknown> & { iss: string; sub: string };

/** The provider at which staff sign in. */
export interface OidcProvider {
  config: OidcConfig;
  /**
   * Returns where a browser has to go to begin this flow. @throws ServiceError 1310 when the provider is unavailable
   */
  authorizationUrl(flow: Flow): Promise<string>;
  /**
   * Returns the claims of the user who came back with these arguments.
   * @throws ServiceError 1110 when the arguments, the code or the token of the provider are not those of this flow;
   *   1310 when the provider is unavailable
   */
  claimsOf(returned: Record<string, string>, flow: Flow, now: Date): Promise<Claims>;
}

/** Time for one answer of the provider. A callback asks for at most four things, and has 4.5 s. */
const answerMaxMs = 2000;

/** How far the clock of the provider may be off. */
const clockToleranceSeconds = 30;

/** At most so many sign-ins wait for the provider at once. */
const semaphore = createSemaphore({
  atOnce: 20,
  waitingMax: 100,
  waitMaxMs: 2000,
  busyMessage: message('users.tooManySignIns'),
});

/** Makes the provider of a process. It discovers the addresses at the first sign-in, and again after a failure. */
export function createOidcProvider(config: OidcConfig, log: Logger): OidcProvider {
  let found: Promise<BaseClient> | undefined;
  const clientOf = () => {
    found ??= discover(config).catch((error: Error) => {
      found = undefined;
      log.warn({ error: failureCode(error) }, 'the OpenID provider cannot be found');
      throw away();
    });
    return found;
  };
  return {
    config,
    authorizationUrl: async ({ state, nonce, verifier }) => {
      const client = await semaphore.run(clientOf);
      const { generators } = await import('openid-client');
      return client.authorizationUrl({
        scope: config.scopes,
        state,
        nonce,
        code_challenge: generators.codeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    claimsOf: (returned, flow, now) =>
      semaphore.run(async () => {
        const client = await clientOf();
        try {
          return await exchange(client, config, returned, flow, now);
        } catch (error) {
          const refused = isRefusal(error);
          log.warn({ error: failureCode(error), refused }, 'a sign-in at the OpenID provider failed');
          throw refused ? refusal() : away();
        }
      }),
  };
}

async function discover({ issuer, clientId, clientSecret, redirectUri }: OidcConfig): Promise<BaseClient> {
  // Loaded only where it is used: most services have no OpenID provider.
  const { custom, Issuer } = await import('openid-client');
  const limited = () => ({ timeout: answerMaxMs });
  custom.setHttpOptionsDefaults({ timeout: answerMaxMs });
  const provider = await Issuer.discover(issuer);
  const client = new provider.Client({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    response_types: ['code'],
    id_token_signed_response_alg: chooseAlgorithm(provider.metadata.id_token_signing_alg_values_supported),
  });
  client[custom.http_options] = limited;
  client[custom.clock_tolerance] = clockToleranceSeconds;
  return client;
}

/** Signatures by a key pair only. `none` and those by a shared secret are never taken. */
const algorithms = ['RS256', 'ES256', 'PS256', 'EdDSA', 'ES384', 'PS384', 'RS384', 'ES512', 'PS512', 'RS512'];

function chooseAlgorithm(supported: unknown): string {
  const offered: unknown[] = Array.isArray(supported) ? supported : [];
  return algorithms.find((each) => offered.includes(each)) ?? 'RS256';
}

async function exchange(
  client: BaseClient,
  config: OidcConfig,
  returned: Record<string, string>,
  { state, nonce, verifier }: Flow,
  now: Date,
): Promise<Claims> {
  const checks = { state, nonce, code_verifier: verifier, response_type: 'code' };
  const tokens = await client.callback(config.redirectUri, returned, checks);
  const claims: Claims = { ...tokens.claims() };
  requireSoundClaims(claims, now);
  return hasRolesClaim(claims, config) ? claims : { ...(await userInfo(client, tokens)), ...claims };
}

/** A subject is at most 255 ASCII characters (OpenID Connect Core 1.0, section 2), which name somebody. */
const subject = /^[\u0020-\u007E]{1,255}$/;

/** Checks what the library does not: the subject is a string, and the token was not made later than now. */
function requireSoundClaims({ sub, iat }: Record<string, unknown>, now: Date): void {
  const latest = now.getTime() / 1000 + clockToleranceSeconds;
  const isNamed = typeof sub === 'string' && subject.test(sub) && sub.trim() === sub;
  if (!isNamed || typeof iat !== 'number' || iat > latest) throw new UnsoundClaims();
}

/** Says that a signed token has claims that no provider may give. */
class UnsoundClaims extends Error {
  override readonly name = 'UnsoundClaims';
}

/** Many providers return groups at this endpoint only. The library compares its `sub` with the one of the token. */
async function userInfo(client: BaseClient, tokens: TokenSet): Promise<Record<string, unknown>> {
  const { userinfo_endpoint: endpoint } = client.issuer.metadata;
  return endpoint && tokens.access_token ? { ...(await client.userinfo(tokens)) } : {};
}

/** What the errors of the library say, of which neither messages nor values may reach a log. */
interface Failure {
  name?: string;
  code?: string;
  error?: string;
  response?: { statusCode?: number };
}

/** Errors of the provider that are its own fault, or the fault of our settings, and not of the user. */
const troubles = ['server_error', 'temporarily_unavailable', 'invalid_client', 'unauthorized_client'];

/** Checks that failed have these fields; a time-out or a lost connection has none. */
const checked = ['jwt', 'checks', 'params', 'jwks', 'tolerance', 'userinfo'];

/** Tells whether what the browser brought was wrong; otherwise the provider is unavailable. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (error instanceof UnsoundClaims) return true;
  const { name, error: providerError, response } = error as Failure;
  if (name === 'OPError')
    return providerError !== undefined && !troubles.includes(providerError) && !((response?.statusCode ?? 0) >= 500);
  return name === 'RPError' && checked.some((field) => field in error);
}

function failureCode(error: unknown): string {
  const { name = 'unknown', code, error: providerError } = Object(error) as Failure;
  return [name, code ?? providerError].filter(Boolean).join(' ').slice(0, 100);
}

function refusal(): ServiceError {
  return new ServiceError('loginIncorrect', message('users.signInFailed'));
}

function away(): ServiceError {
  return unavailable(message('users.providerAway'));
}
