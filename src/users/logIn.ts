import { ObjectId } from 'bson';
import type { LoginThrottle } from '../auth/loginThrottle';
import { passwordFits } from '../auth/passwordHash';
import type { Backing } from '../backing/backing';
import { ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { isKnownLogin, rememberLogin } from '../records/users/knownLogin';
import { type User, userResource } from '../records/users/user';
import { startSession } from './startSession';

/** What a user proves himself with. */
export interface Credentials {
  username: string;
  password: string;
}

/** What logging in takes. */
export type LogInServices = Pick<Backing, 'db' | 'tokenKey' | 'clock' | 'config'> & { logins: LoginThrottle };

/**
 * Gives the token of a new session. Unknown users, wrong passwords and inactive users get the same answer after the
 * same work.
 * @param network where the client is, as `clientNetwork` gives it
 * @throws ServiceError 1110; 1260 after too many failures of this username or network, whatever the password is;
 *   1310 when too many log in at once
 */
export async function logIn(services: LogInServices, credentials: Credentials, network: string): Promise<string> {
  const { db, clock, config, logins } = services;
  const { username, password } = credentials;
  const user = await collectionOf(db, userResource).findOne({ username });
  const isKnown = await isKnownLogin(db, user?._id ?? new ObjectId(), network);
  const attempt = { username, network, isKnown };
  await logins.refuseFull(attempt);
  const fits = await passwordFits({
    password,
    passwordHash: user?.passwordHash,
    isPreferred: isKnown,
    admit: () => logins.count(attempt),
  });
  if (!user || !fits || !user.isActive) {
    throw new ServiceError('loginIncorrect', 'Username or password is incorrect', {
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
