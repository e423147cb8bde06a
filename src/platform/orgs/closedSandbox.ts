import { type ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** Makes the answer to a write in a sandbox that is being made, emptied or removed. */
export function closedSandbox(): ServiceError {
  return unavailable(message('orgs.sandboxClosed'));
}
