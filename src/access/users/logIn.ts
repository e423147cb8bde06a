import { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { LoginThrottle } from '#platform/auth/loginThrottle';
import { passwordFits } from '#platform/auth/passwordHash';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { isKnownLogin, rememberLogin } from '#records/users/knownLogin';
import type { User } from '#records/users/user';
import { findUser } from './findUser';
import { startSession } from './startSession';

/** A username and a password as the client sent them. */
export interface Credentials {
  username: string;
  password: string;
}

/** The services that a login uses. */
export type LogInServices = Pick<Infrastructure, 'db' | 'tokenKey' | 'clock' | 'config'> & { logins: LoginThrottle };

/**
 * Starts a session and returns its token. Unknown users, wrong passwords and inactive users get the same answer after
 * the same work, so the answer does not tell whether a user exists.
 * @param network the client's network, from `clientNetwork`
 * @throws ServiceError 1110 when the login is incorrect; 1260 after too many failures of this username or network, even
 *   if the password is right; 1310 when too many passwords wait to be verified
 */
export async function logIn(services: LogInServices, credentials: Credentials, network: string): Promise<string> {
  const { db, clock, config, logins } = services;
  const { username, password } = credentials;
  const user = await findUser(db, username);
  const isKnown = await isKnownLogin(db, user?._id ?? new ObjectId(), network);
  const attempt = { username, network, isKnown };
  await logins.refuseFull(attempt);
  const fits = await passwordFits({
    password,
    passwordHash: user?.passwordHash,
    isPreferred: isKnown,
    admit: () => logins.count(attempt),
  });
  if (!user || !fits || !user.isActive || user.kind) {
    throw new ServiceError('loginIncorrect', message('users.loginIncorrect'), {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  await logins.uncount(attempt);
  await rememberLogin(db, user, network, clock.now());
  return startSession(services, currentIds(user), clock.now(), config.TOKEN_TTL);
}

function currentIds({ _id, org }: User): Pick<User, '_id' | 'org'> {
  return { _id, org };
}
