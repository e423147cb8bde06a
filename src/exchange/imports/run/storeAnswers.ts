import type { Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { withinTime } from '#base/common/withinTime';
import { isTemporary } from '#base/db/isTemporary';

/** How long, in milliseconds, a store has to answer the shortest question. */
const answerMs = 1500;

/** Tells whether an error comes from the present state of the stores, or of others who write to them. */
export function isOfStores(error: unknown): boolean {
  return isTemporary(error) || (error instanceof ServiceError && error.reason === 'unavailable');
}

/** Tells whether the store answers at all. When it does, work that failed was too much for it. */
export async function storeAnswers(db: Connection): Promise<boolean> {
  const ping = async () => db.getClient().db('admin').command({ ping: 1 });
  return (await withinTime(answerMs, ping())) !== undefined;
}
