import { mongo } from 'mongoose';
import { malformed } from '../../common/errors';
import { queryLimits } from '../queryLimits';

/** Codes of MongoDB for reads that ask for what it will not do, with what the client is told. */
const faults = new Map<unknown, string>([
  [50, `The search took longer than ${queryLimits.timeMaxMs} ms; filter by an indexed field or ask for less`],
  [262, `The search took longer than ${queryLimits.timeMaxMs} ms; filter by an indexed field or ask for less`],
  [292, 'The search needs too much memory; filter by an indexed field or ask for less'],
  [2, 'The arguments cannot be combined: sort by fields of one list only, and check regular expressions'],
  [51091, 'The regular expression is not valid'],
]);

/**
 * What a failed read means: the client asked for too much, which is its fault and not the database's; any other error
 * is answered as it is.
 */
export function readFault(error: unknown): unknown {
  if (!(error instanceof mongo.MongoServerError)) return error;
  const message = faults.get(error.code);
  return message === undefined ? error : malformed(message);
}
