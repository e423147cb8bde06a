import { mongo } from 'mongoose';

const duplicateKey = 11000;

/** The indexed fields, with the values, that a write met as taken; undefined when the error is another one. */
export function duplicateKeyOf(error: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!(error instanceof mongo.MongoServerError) || error.code !== duplicateKey) return undefined;
  return new Map(Object.entries<unknown>(error.keyValue ?? {}));
}
