import { result } from 'loyalty-client/loyaltyError';
import { anonymousClient } from '../api/anonymousClient';
import { keepSession, type Session } from './session';

/**
 * Signs a user in by name and password, and keeps the session.
 * @throws LoyaltyError when the service refuses
 */
export async function signIn(username: string, password: string): Promise<Session> {
  const { token } = await result(anonymousClient.POST('/api/v1/login', { body: { username, password } }));
  return begin(token, false);
}

/**
 * Signs in with the code that the OpenID provider's way brought to this page, and keeps the session.
 * @throws LoyaltyError when the service refuses
 */
export async function signInByCode(code: string): Promise<Session> {
  const { token } = await result(anonymousClient.POST('/api/v1/login/oidc/token', { body: { code } }));
  return begin(token, true);
}

/** The longest address of a page that the service leads back to, in characters. */
const returnToMax = 500;

/**
 * Where the way to the OpenID provider begins. It ends at a page of the console, without its filters when the address is
 * too long with them.
 */
export function oidcAddress(page: string): string {
  const [path = ''] = page.split('?');
  return `/api/v1/login/oidc?${new URLSearchParams({ returnTo: page.length > returnToMax ? path : page })}`;
}

async function begin(token: string, isOidc: boolean): Promise<Session> {
  const headers = { Authorization: `Bearer ${token}` };
  const { username, permissions } = await result(anonymousClient.GET('/api/v1/myaccount', { headers }));
  const session = { token, username, permissions, isOidc };
  keepSession(session);
  return session;
}
