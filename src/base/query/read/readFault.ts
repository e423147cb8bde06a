import { mongo } from 'mongoose';
import { malformed } from '#base/common/errors';
import { queryLimits } from '../queryLimits';

/** MongoDB's codes for reads that it refuses, with the message for the client. */
const faults = new Map<unknown, string>([
  [50, `The search took longer than ${queryLimits.timeMaxMs} ms; filter by an indexed field or ask for less`],
  [262, `The search took longer than ${queryLimits.timeMaxMs} ms; filter by an indexed field or ask for less`],
  [292, 'The search needs too much memory; filter by an indexed field or ask for less'],
  [2, 'The arguments cannot be combined: sort by fields of one list only, and check regular expressions'],
  [51091, 'The regular expression is not valid'],
]);

/**
 * Converts the error of a failed read. When the client asked for too much, it becomes a client error. Any other error
 * stays.
 */
export function readFault(error: unknown): unknown {
  if (!(error instanceof mongo.MongoServerError)) return error;
  const message = faults.get(error.code);
  return message === undefined ? error : malformed(message);
}
