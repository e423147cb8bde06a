import { mongo } from 'mongoose';

const duplicateKey = 11000;

/** Returns the indexed fields, with their values, that violate a unique index; undefined for any other error. */
export function readDuplicateKey(error: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!(error instanceof mongo.MongoServerError) || error.code !== duplicateKey) return undefined;
  return new Map(Object.entries<unknown>(error.keyValue ?? {}));
}
