import { type ServiceError, unavailable } from '#base/common/errors';

/** Makes the answer to a write in a sandbox that is being made, emptied or removed. */
export function closedSandbox(): ServiceError {
  return unavailable('The sandbox is being emptied or made; nothing is written in it meanwhile');
}
