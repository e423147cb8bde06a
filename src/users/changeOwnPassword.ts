import type { LoginThrottle } from '../auth/loginThrottle';
import { passwordFits } from '../auth/passwordHash';
import { ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type InCommit, withRetries } from '../db/transaction';
import type { RequestWith } from '../http/route';
import { isKnownLogin } from '../records/users/knownLogin';
import { type User, userResource } from '../records/users/user';
import { clientNetwork } from './clientNetwork';
import { changeUser } from './storeUser';

/** The body of a request to change the caller's own password. */
export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/**
 * Changes the caller's password and ends all of the caller's other sessions. A wrong current password counts as a
 * failed login, so that the holder of a stolen token cannot guess the password.
 * @throws ServiceError 1110 when the current password is wrong; 1260 after too many failures; 1310 when too many
 *   passwords wait to be verified
 */
export async function changeOwnPassword(
  request: RequestWith<{ logins: LoginThrottle }>,
  change: PasswordChange,
  inCommit?: InCommit<User>,
): Promise<User> {
  const { services, principal, now } = request;
  const { db, logins, config, clock } = services;
  const { org, userId, sessionId, username } = principal;
  const network = clientNetwork(request, config.TRUST_PROXY);
  const attempt = { username, network, isKnown: await isKnownLogin(db, userId, network) };
  await logins.refuseFull(attempt);
  return withRetries(
    async () => {
      const user = await collectionOf(db, userResource).findOne({ _id: userId, org });
      const admit = () => logins.count(attempt);
      const { currentPassword: password, newPassword } = change;
      const fits = await passwordFits({ password, passwordHash: user?.passwordHash, isPreferred: true, admit });
      if (!user || !fits) throw new ServiceError('loginIncorrect', 'The current password is incorrect');
      await logins.uncount(attempt);
      const changing = { db, author: { org, userId }, via: 'api', now, ownSession: sessionId } as const;
      return changeUser(changing, user, { password: newPassword }, inCommit);
    },
    { now: () => clock.now().getTime() },
  );
}
