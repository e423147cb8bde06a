import { LoyaltyError, result } from 'loyalty-client/loyaltyError';
import type { AuthProvider } from 'react-admin';
import { anonymousClient } from '../api/anonymousClient';
import { currentSession, keepSession, may } from './session';
import { signIn, signInByCode } from './signIn';
import { SignedOut } from './signInAgain';

/** What the sign-in page passes on. */
type SignInBy = { username: string; password: string } | { code: string };

/** The verbs of the service for the actions of react-admin. */
const verbs: Record<string, string> = {
  list: 'read',
  show: 'read',
  create: 'create',
  edit: 'update',
  delete: 'delete',
};

/** Tells react-admin who is signed in and what they may do. The service checks every request itself. */
export const authProvider: AuthProvider = {
  async login(by: SignInBy) {
    await ('code' in by ? signInByCode(by.code) : signIn(by.username, by.password));
  },
  async logout() {
    const session = currentSession();
    keepSession(undefined);
    if (!session) return;
    const headers = { Authorization: `Bearer ${session.token}` };
    // The session of the service ends at once when it answers, and with its time otherwise.
    await result(anonymousClient.GET('/api/v1/myaccount/logout', { headers })).catch(() => undefined);
  },
  async checkAuth() {
    if (!currentSession()) throw new SignedOut('Nobody is signed in');
  },
  async checkError(error: unknown) {
    if (error instanceof SignedOut || (error instanceof LoyaltyError && error.status === 401)) throw error;
  },
  async getIdentity() {
    const { username = '' } = currentSession() ?? {};
    return { id: username, fullName: username };
  },
  async getPermissions() {
    return currentSession()?.permissions ?? [];
  },
  async canAccess({ resource, action }) {
    return may(`${resource}:${verbs[action] ?? action}`);
  },
};
