import type { ServiceError } from '#base/common/errors';
import { invalidField } from '#base/common/errors';

/** The error (422) for a key that was used for a different request. */
export function keyReused(): ServiceError {
  return invalidField('externalTxnId', 'unique', 'was used for a different request');
}
