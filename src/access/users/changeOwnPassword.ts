import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { type InCommit, inBoth, withRetries } from '#base/db/transaction';
import { requestAuditor } from '#platform/audit/auditor';
import type { LoginThrottle } from '#platform/auth/loginThrottle';
import { passwordFits } from '#platform/auth/passwordHash';
import { requireSession } from '#platform/auth/requireSession';
import type { RequestWith } from '#platform/http/route';
import { isKnownLogin } from '#records/users/knownLogin';
import { type User, userResource } from '#records/users/user';
import { auditUser } from './auditUser';
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
 *   passwords wait to be verified; 1210 for an API key or a user of OIDC
 */
export async function changeOwnPassword(
  request: RequestWith<{ logins: LoginThrottle }>,
  change: PasswordChange,
  inCommit?: InCommit<User>,
): Promise<User> {
  const { services, principal, machineClock: clock } = request;
  const { db, logins, config } = services;
  const { org, userId, username } = principal;
  const ownSession = requireSession(principal);
  const network = clientNetwork(request, config.TRUST_PROXY);
  const attempt = { username, network, isKnown: await isKnownLogin(db, userId, network) };
  await logins.refuseFull(attempt);
  return withRetries(
    async () => {
      const user = await collectionOf(db, userResource).findOne({ _id: userId, org });
      if (user?.kind) throw malformed(message('users.noPasswordHere'));
      const admit = () => logins.count(attempt);
      const { currentPassword: password, newPassword } = change;
      const fits = await passwordFits({ password, passwordHash: user?.passwordHash, isPreferred: true, admit });
      if (!user || !fits) throw new ServiceError('loginIncorrect', message('users.passwordIncorrect'));
      await logins.uncount(attempt);
      const changing = { db, author: requestAuditor(request), now: clock.now(), ownSession };
      const append = auditUser({ ...changing, action: 'password' }, user);
      return changeUser(changing, user, { password: newPassword }, inBoth(append, inCommit));
    },
    { now: () => clock.now().getTime() },
  );
}
