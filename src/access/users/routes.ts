import { type Static, Type } from '@sinclair/typebox';
import { runningVersion } from '#base/common/version';
import { instant, list, objectId, record } from '#base/schema/atoms';
import { requireSession } from '#platform/auth/requireSession';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import { defineRoute, ok, type Request, type RequestWith, type Route } from '#platform/http/route';
import { password } from '#records/users/user';
import { changeOwnPassword, type PasswordChange } from './changeOwnPassword';
import { clientNetwork } from './clientNetwork';
import { endSession } from './endSessions';
import { type LogInServices, logIn } from './logIn';
import { renewSession } from './renewSession';

const credentials = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false, examples: [{ username: 'admin', password: 'correct horse battery' }] },
);

const loginRoute = defineRoute({
  method: 'POST',
  path: '/login',
  tag: 'Sign in',
  permission: 'open',
  summary: 'Log in',
  description:
    'Answers the token that all other calls send as `Authorization: Bearer <token>`. ' +
    'The body may also be a form (`application/x-www-form-urlencoded`). ' +
    'After 10 failures of a username or 100 of an address in 15 minutes, the answer is 429 with Retry-After, even if the ' +
    'password is right. Failures from an address where the user logged in within 90 days count separately, also up to 10.',
  body: credentials,
  bodyTypes: ['application/x-www-form-urlencoded'],
  key: 'refused',
  responses: { 200: record({ token: Type.String(), version: Type.String(), build: Type.String() }) },
  errors: [401, 429, 500, 503],
  handle: async (request: RequestWith<LogInServices>) => {
    const { services, body } = request;
    const network = clientNetwork(request, services.config.TRUST_PROXY);
    const token = await logIn(services, body as Static<typeof credentials>, network);
    return ok({ token, ...runningVersion() }, { 'Cache-Control': 'no-store' });
  },
});

const logoutRoute = defineRoute({
  method: 'GET',
  path: '/myaccount/logout',
  tag: 'Sign in',
  permission: 'any',
  summary: 'Log out',
  description: 'Ends the session of the token, in every process. An API key has no session (400).',
  responses: { 200: record({ message: Type.String() }) },
  handle: async ({ services, principal }) => {
    await endSession(services.db, requireSession(principal));
    return ok({ message: 'Logged out' }, { 'Cache-Control': 'no-store' });
  },
});

const renewRoute = defineRoute({
  method: 'POST',
  path: '/myaccount/renew',
  tag: 'Sign in',
  permission: 'any',
  summary: 'Get a new token of the session',
  description:
    'For pages that are in use for long. The session then lasts `TOKEN_TTL` seconds from now, up to 12 hours from the ' +
    'login. The token before stays valid until its end. An API key has no session (400).',
  key: 'refused',
  responses: { 200: record({ token: Type.String() }) },
  worksInClosed: true,
  handle: async ({ services, principal, machineClock }) => {
    const { org, userId } = principal;
    const sessionId = requireSession(principal);
    const lasts = { now: machineClock.now(), lastsSeconds: services.config.TOKEN_TTL };
    const token = await renewSession(services, { org, userId, sessionId, ...lasts });
    return ok({ token }, { 'Cache-Control': 'no-store' });
  },
});

const myAccountRoute = defineRoute({
  method: 'GET',
  path: '/myaccount',
  tag: 'Sign in',
  permission: 'any',
  summary: 'Show the user of the token, or the API key',
  responses: {
    200: record({
      _id: objectId('User'),
      org: objectId('Org'),
      username: Type.String(),
      permissions: list(Type.String()),
      apiKey: Type.Optional(
        record(
          { name: Type.String(), prefix: Type.String(), expiresAt: Type.Optional(instant()) },
          { description: 'The API key of the request; `username` is its name then' },
        ),
      ),
    }),
  },
  handle: async ({ principal }: Request) => {
    const { userId, org, username, permissions, apiKey } = principal;
    const own = { _id: userId, org, username, permissions: [...permissions].sort() };
    if (!apiKey) return ok(own);
    const { name, prefix, expiresAt } = apiKey;
    return ok({ ...own, apiKey: { name, prefix, ...(expiresAt ? { expiresAt } : {}) } });
  },
});

const passwordChange = record(
  { currentPassword: Type.String({ minLength: 1, maxLength: 200, writeOnly: true }), newPassword: password },
  { examples: [{ currentPassword: 'correct horse battery', newPassword: 'staple of the battery' }] },
);

const ownPasswordRoute = defineRoute({
  method: 'POST',
  path: '/users/me/password',
  tag: 'Sign in',
  permission: 'any',
  summary: 'Change your own password',
  description:
    'Ends your other sessions. An API key has no password (400). A wrong `currentPassword` is answered like a failed login (1110), and counts as one.',
  body: passwordChange,
  key: 'withEffect',
  responses: { 200: record({ message: Type.String() }) },
  errors: [401, 429, 503],
  handle: async (request: RequestWith<LogInServices>) => {
    const change = request.body as PasswordChange;
    const answered = () => ok({ message: 'Password changed' }, { 'Cache-Control': 'no-store' });
    return keptAnswer(request, answered, (inCommit) => changeOwnPassword(request, change, inCommit));
  },
});

/** Routes that log in and out, renew sessions, show the caller's account, and change the caller's password. */
export const authRoutes: Route[] = [loginRoute, logoutRoute, renewRoute, myAccountRoute, ownPasswordRoute];
