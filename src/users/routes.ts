import { type Static, Type } from '@sinclair/typebox';
import { runningVersion } from '../common/version';
import { defineRoute, ok, type Request, type RequestWith, type Route } from '../http/route';
import { password } from '../records/users/user';
import { list, objectId, record } from '../schema/atoms';
import { changeOwnPassword, type PasswordChange } from './changeOwnPassword';
import { clientNetwork } from './clientNetwork';
import { endSession } from './endSessions';
import { type LogInServices, logIn } from './logIn';

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
  permission: 'open',
  summary: 'Log in',
  description:
    'After 10 failures of a username in 15 minutes, or 100 of an address: 429 with Retry-After, whatever the password is. ' +
    'From where a user has logged in within 90 days, he has 10 of his own.',
  body: credentials,
  bodyTypes: ['application/x-www-form-urlencoded'],
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
  permission: 'any',
  summary: 'Log out: end the session of the token',
  responses: { 200: record({ message: Type.String() }) },
  handle: async ({ services, principal }) => {
    await endSession(services.db, principal.sessionId);
    return ok({ message: 'Logged out' }, { 'Cache-Control': 'no-store' });
  },
});

const myAccountRoute = defineRoute({
  method: 'GET',
  path: '/myaccount',
  permission: 'any',
  summary: 'Show who the token belongs to',
  responses: {
    200: record({
      _id: objectId('User'),
      org: objectId('Org'),
      username: Type.String(),
      permissions: list(Type.String()),
    }),
  },
  handle: async ({ principal }: Request) => {
    const { userId, org, username, permissions } = principal;
    return ok({ _id: userId, org, username, permissions: [...permissions].sort() });
  },
});

const passwordChange = record(
  { currentPassword: Type.String({ minLength: 1, maxLength: 200, writeOnly: true }), newPassword: password },
  { examples: [{ currentPassword: 'correct horse battery', newPassword: 'staple of the battery' }] },
);

const ownPasswordRoute = defineRoute({
  method: 'POST',
  path: '/users/me/password',
  permission: 'any',
  summary: "Change the own password; the user's other sessions end",
  description: 'A wrong `currentPassword` is answered as a failed login is (1110), and counts as one.',
  body: passwordChange,
  responses: { 200: record({ message: Type.String() }) },
  errors: [401, 429, 503],
  handle: async (request: RequestWith<LogInServices>) => {
    await changeOwnPassword(request, request.body as PasswordChange);
    return ok({ message: 'Password changed' }, { 'Cache-Control': 'no-store' });
  },
});

/** Logging in and out, and what users do for themselves. */
export const authRoutes: Route[] = [loginRoute, logoutRoute, myAccountRoute, ownPasswordRoute];
