import { mongo } from 'mongoose';

const duplicateKey = 11000;

/**
 * Tells which rows of an unordered insert were not stored because a unique index was taken, when that is all that went
 * wrong: every other row is then stored as the write concern asks. Undefined of any other failure: what became of the rows
 * is not known. The driver wraps a lost connection, a step-down and a write concern error in the same class, without any
 * write errors or beside them, so that the class alone says nothing.
 */
export function takenRows(error: unknown, rowCount: number): ReadonlySet<number> | undefined {
  if (!(error instanceof mongo.MongoBulkWriteError)) return undefined;
  const failures = [error.writeErrors].flat();
  const isAllTaken = failures.length > 0 && failures.every(({ code }) => code === duplicateKey);
  const isAllTold = error.insertedCount + failures.length === rowCount;
  if (!isAllTaken || !isAllTold || error.result.getWriteConcernError()) return undefined;
  return new Set(failures.map(({ index }) => index));
}
