import { isNativeError } from 'node:util/types';
import { mongo } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** Tells whether a write failed because a record is larger than 16 MB. The driver or the server refuses it. */
export function isTooLarge(error: unknown): boolean {
  if (error instanceof mongo.MongoServerError) return error.code === 10334;
  // The driver throws this when it measures the records of an insert.
  if (error instanceof mongo.MongoInvalidArgumentError) return true;
  // The driver's buffer throws a RangeError. A stack overflow is a RangeError too, but it is a bug in this service.
  return isNativeError(error) && error.name === 'RangeError' && !error.message.includes('call stack');
}

/** The error (413) for an activity whose record is larger than 16 MB. */
export function recordTooLarge(): ServiceError {
  return new ServiceError('tooLarge', message('activities.tooLarge'));
}
