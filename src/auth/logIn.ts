import { collectionOf } from '../db/resource';
import { ServiceError } from '../errors';
import type { Services } from '../services';
import { recordFailure, secondsToWait } from './loginFailure';
import { passwordFits } from './passwordHash';
import { startSession } from './startSession';
import { type User, userResource } from './user';

/** What a user proves himself with. */
export interface Credentials {
  username: string;
  password: string;
}

type LogInServices = Pick<Services, 'db' | 'tokenKey' | 'clock' | 'config'>;

/**
 * Gives the token of a new session. Unknown users, wrong passwords and inactive users get the same answer after the
 * same work.
 * @throws ServiceError 1110, or 1260 after too many failures of this username
 */
export async function logIn(services: LogInServices, credentials: Credentials): Promise<string> {
  const { db, clock, config } = services;
  const { username, password } = credentials;
  await refuseThrottled(services, username);
  const user = await collectionOf(db, userResource).findOne({ username });
  const fits = await passwordFits(user?.passwordHash, password);
  if (!user || !fits || !user.isActive) {
    await recordFailure(db, username, clock.now());
    throw new ServiceError('loginIncorrect', 'Username or password is incorrect', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  // Again, for guesses sent all at once: they pass the first check together but are hashed one after the other.
  await refuseThrottled(services, username);
  return startSession(services, currentIds(user), clock.now(), config.TOKEN_TTL);
}

async function refuseThrottled({ db, clock }: LogInServices, username: string): Promise<void> {
  const seconds = await secondsToWait(db, username, clock.now());
  if (seconds === 0) return;
  throw new ServiceError('rateLimited', 'Too many failed logins of this username; retry later', {
    headers: { 'Retry-After': String(seconds) },
  });
}

function currentIds({ _id, org }: User): Pick<User, '_id' | 'org'> {
  return { _id, org };
}
