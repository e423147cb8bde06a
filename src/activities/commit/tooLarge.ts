import { isNativeError } from 'node:util/types';
import { mongo } from 'mongoose';
import { ServiceError } from '../../common/errors';

/** Tells whether one record is beyond 16 MB: the driver has no room for it, or the server refuses it. */
export function isTooLarge(error: unknown): boolean {
  if (error instanceof mongo.MongoServerError) return error.code === 10334;
  // What the driver says of an insert that it measures.
  if (error instanceof mongo.MongoInvalidArgumentError) return true;
  // A stack that overflows is a RangeError too, and a fault of ours.
  return isNativeError(error) && error.name === 'RangeError' && !error.message.includes('call stack');
}

/** The 413 answer to an activity whose record is beyond 16 MB. */
export function tooLarge(): ServiceError {
  return new ServiceError('tooLarge', 'The activity with what it names and what rules recorded is larger than 16 MB');
}
