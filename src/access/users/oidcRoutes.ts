import { randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { clientAddress } from '#base/common/clientAddress';
import { notFound, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { runningVersion } from '#base/common/version';
import { record } from '#base/schema/atoms';
import {
  type Answer,
  apiPrefix,
  defineRoute,
  ok,
  type QueryArgument,
  type RequestWith,
  type Route,
} from '#platform/http/route';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { decryptState, encryptState, type Flow } from './oidc/encryptedState';
import type { OidcProvider } from './oidc/oidcProvider';
import { returnPage } from './oidc/returnPage';
import { rolesFromClaims, whyNoRole } from './oidc/rolesFromClaims';
import { makeSignInCode, useSignInCode } from './oidc/signInCodes';
import { storeOidcUser } from './oidc/storeOidcUser';
import { startSession } from './startSession';

type Services = Infrastructure & { oidc?: OidcProvider | undefined };

const path = '/login/oidc';
const cookie = 'oidc_flow';
const flowSeconds = 600;

const beginRoute = defineRoute({
  method: 'GET',
  path,
  tag: 'Sign in',
  permission: 'open',
  summary: 'Sign in at the OpenID provider',
  description:
    'For browsers: leads to the provider, with PKCE, state and nonce in a cookie of this browser. 404 when no provider ' +
    'is set.',
  query: {
    returnTo: { description: 'Page of the console to return to', schema: Type.String({ maxLength: 500 }) },
  },
  responses: { 302: null },
  answerHeaders: { 302: ['Location', 'Set-Cookie'] },
  errors: [404, 503],
  async handle({ services, query, now }: RequestWith<Services>) {
    const oidc = requireProvider(services);
    const random = () => randomBytes(32).toString('base64url');
    const endsAt = now.getTime() + flowSeconds * 1000;
    const returnTo = returnPage(query.returnTo);
    const flow: Flow = { state: random(), nonce: random(), verifier: random(), returnTo, endsAt };
    const sealed = encryptState(services.tokenKey, flow);
    return leading(await oidc.authorizationUrl(flow), signInCookie(oidc, sealed, flowSeconds));
  },
});

/** Arguments with which providers send a browser back. Only the first three are used by every one of them. */
const returnedArguments = ['code', 'state', 'iss', 'session_state', 'scope', 'authuser', 'prompt', 'hd', 'error'];
const providerParameters = ['error_description', 'error_uri'];
const returned: Record<string, QueryArgument> = Object.fromEntries(
  [...returnedArguments, ...providerParameters].map((name) => [
    name,
    { description: 'As the provider sends it', schema: Type.String({ maxLength: 4000 }) },
  ]),
);

const callbackRoute = defineRoute({
  method: 'GET',
  path: `${path}/callback`,
  tag: 'Sign in',
  permission: 'open',
  summary: 'Return from the OpenID provider',
  description:
    'For browsers: makes or renews the user and leads to `/console/login#code=<code>&returnTo=<page>`. The code gives ' +
    'the token once, within 60 s. 403 when the provider gives the user no role here. What is refused leads a ' +
    'browser (`Sec-Fetch-Mode: navigate`) to `/console/login#error=<status>`.',
  query: returned,
  responses: { 302: null },
  answerHeaders: { 302: ['Location', 'Set-Cookie'] },
  errors: [401, 403, 404, 503],
  async handle(request: RequestWith<Services>) {
    const oidc = requireProvider(request.services);
    try {
      return await comeBack(request, oidc);
    } catch (error) {
      // A browser that shows what it is answered would show an object.
      const isPage = request.headers['sec-fetch-mode'] === 'navigate';
      if (!(error instanceof ServiceError) || !isPage) throw error;
      return leading(`/console/login#error=${error.status}`, signInCookie(oidc, '', 0));
    }
  },
});

/** Makes or renews the user who comes back from the provider, and leads to the console with a code. */
async function comeBack(request: RequestWith<Services>, oidc: OidcProvider): Promise<Answer> {
  const { services, query, headers, now, requestId } = request;
  const flow = decryptState(services.tokenKey, cookieIn(headers.cookie), now);
  if (!flow) throw new ServiceError('loginIncorrect', message('users.otherBrowser'));
  const claims = await oidc.claimsOf(query, flow, now);
  const { db, config, log } = services;
  const from = { via: 'api' as const, ip: clientAddress(request, config.TRUST_PROXY), requestId };
  const roles = rolesFromClaims(claims, oidc.config);
  if (roles.length === 0)
    log.warn({ requestId, subject: claims.sub }, `a sign-in gets no role: ${whyNoRole(claims, oidc.config)}`);
  const user = await storeOidcUser({ db, orgCode: config.ORG, claims, roles, now, from });
  const fragment = new URLSearchParams({ code: await makeSignInCode(db, user, now), returnTo: flow.returnTo });
  return leading(`/console/login#${fragment}`, signInCookie(oidc, '', 0));
}

const tokenRoute = defineRoute({
  method: 'POST',
  path: `${path}/token`,
  tag: 'Sign in',
  permission: 'open',
  summary: 'Get the token of a sign-in at the OpenID provider',
  description: 'Exchanges the code of the fragment for a token, once and within 60 s.',
  body: record({
    code: Type.String({
      minLength: 43,
      maxLength: 43,
      pattern: '^[\\w-]+$',
      examples: ['Yp3kQ8m1vXc0aR7tLz5wB2nE9uHdJ4sGfK6oT1iVxMc'],
    }),
  }),
  key: 'refused',
  responses: { 200: record({ token: Type.String(), version: Type.String(), build: Type.String() }) },
  errors: [401, 503],
  async handle({ services, body, now }: RequestWith<Services>) {
    const user = await useSignInCode(services.db, (body as { code: string }).code, now);
    const token = await startSession(services, user, now, services.config.TOKEN_TTL);
    return ok({ token, ...runningVersion() }, { 'Cache-Control': 'no-store' });
  },
});

function requireProvider({ oidc }: Services): OidcProvider {
  if (!oidc) throw notFound('Sign-in at an OpenID provider');
  return oidc;
}

function leading(location: string, setCookie: string): Answer {
  return { status: 302, headers: { Location: location, 'Set-Cookie': setCookie, 'Cache-Control': 'no-store' } };
}

/** `Lax` lets the provider lead the browser back with the cookie; scripts never see it. */
function signInCookie({ config }: OidcProvider, value: string, maxAgeSeconds: number): string {
  const secure = config.redirectUri.startsWith('https:') ? '; Secure' : '';
  return `${cookie}=${value}; Path=${apiPrefix}${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

function cookieIn(header = ''): string {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${cookie}=`))?.slice(cookie.length + 1) ?? '';
}

/** Routes of the sign-in of staff at an OpenID provider (docs/design/oidc.md). */
export const oidcRoutes: Route[] = [beginRoute, callbackRoute, tokenRoute];
