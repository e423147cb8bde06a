import type { ServiceError } from '../../common/errors';
import { invalidField } from '../../common/errors';

/** The answer to a key that was used for another request. */
export function keyReused(): ServiceError {
  return invalidField('externalTxnId', 'unique', 'was used for a different request');
}
