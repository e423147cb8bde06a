import type { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import type { Principal } from './principal';

/** Returns the session of a token. @throws ServiceError 1210 for an API key, which has none, and no password either */
export function requireSession({ sessionId }: Pick<Principal, 'sessionId'>): ObjectId {
  if (!sessionId) throw malformed('An API key has no session and no password: this is for the tokens of users');
  return sessionId;
}
