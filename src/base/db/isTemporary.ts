import { mongo } from 'mongoose';
import { CommitUnknown, isTransient } from './transaction';

/** Server codes of errors that pass. Another attempt may succeed. */
const passingCodes: ReadonlySet<unknown> = new Set([
  91,
  189,
  10107,
  11600,
  11602,
  13435,
  13436, // stepping down, shutting down, not primary
  112,
  244,
  251, // write conflict, transaction aborted, no such transaction
  6,
  7,
  89,
  9001, // host unreachable, host not found, network timeout, socket exception
  50,
  64,
  100,
  262, // no answer in time, no majority in time, no majority possible, time limit
  175,
  237,
  290,
  11601, // killed: plan, cursor, transaction that took too long, operation
]);

const passingLabels = ['UnknownTransactionCommitResult', 'RetryableWriteError'];

const passingClasses = [
  CommitUnknown,
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoExpiredSessionError,
  mongo.MongoOperationTimeoutError,
  // The driver does not export the class for "all connections of the pool are in use"; see isTemporary.
];

/**
 * Tells whether an error comes from the store's present state, not from the operation. The same operation may succeed
 * later.
 */
export function isTemporary(error: unknown): boolean {
  if (isTransient(error) || passingClasses.some((passing) => error instanceof passing)) return true;
  // Mongoose wraps the driver's class in a class of its own, which is not exported either.
  const name = error instanceof Error ? error.name : '';
  if (name === 'MongooseServerSelectionError' || name === 'MongoWaitQueueTimeoutError') return true;
  if (!(error instanceof mongo.MongoError)) return false;
  if (error instanceof mongo.MongoBulkWriteError && !failedByRows(error)) return true;
  return passingCodes.has(error.code) || passingLabels.some((label) => error.hasErrorLabel(label));
}

/**
 * Tells whether a bulk write failed because of its rows or with an error code. When neither is the case, the driver has
 * wrapped a lost connection in this error.
 */
function failedByRows({ writeErrors, code }: mongo.MongoBulkWriteError): boolean {
  return [writeErrors].flat().length > 0 || code !== undefined;
}
