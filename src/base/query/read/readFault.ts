import { mongo } from 'mongoose';
import { malformed } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { queryLimits } from '../queryLimits';

/** MongoDB's codes for reads that it refuses, with the message for the client. */
const faults = new Map<unknown, Message>([
  [50, message('query.tookTooLong', { max: queryLimits.timeMaxMs })],
  [262, message('query.tookTooLong', { max: queryLimits.timeMaxMs })],
  [292, message('query.tooMuchMemory')],
  [2, message('query.cannotCombine')],
  [51091, message('query.regexNotValid')],
]);

/**
 * Converts the error of a failed read. When the client asked for too much, it becomes a client error. Any other error
 * stays.
 */
export function readFault(error: unknown): unknown {
  if (!(error instanceof mongo.MongoServerError)) return error;
  const fault = faults.get(error.code);
  return fault === undefined ? error : malformed(fault);
}
