import type { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Principal } from './principal';

/** Returns the session of a token. @throws ServiceError 1210 for an API key, which has none, and no password either */
export function requireSession({ sessionId }: Pick<Principal, 'sessionId'>): ObjectId {
  if (!sessionId) throw malformed(message('auth.noSessionOfKey'));
  return sessionId;
}
