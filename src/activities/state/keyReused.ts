import type { ServiceError } from '#base/common/errors';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** The error (422) for a key that was used for a different request. */
export function keyReused(): ServiceError {
  return invalidField('externalTxnId', 'unique', message('http.keyReused'));
}
