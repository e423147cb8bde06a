import type { ClientSession } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { boundTo } from '#base/db/boundConnection';
import { importLimits } from '../importLimits';
import { DividedBatch, type ImportContext } from './importKind';

/** The context of a batch with all reads and writes in the open transaction of a session. */
export function inSession(context: ImportContext, session: ClientSession): ImportContext {
  const { services } = context;
  return { ...context, services: { ...services, db: boundTo(services.db, session) } };
}

/**
 * Writes items one after the other, as the session of a transaction needs it.
 * @throws DividedBatch when several take so long that the store might abort the transaction
 */
export async function writeInOrder<T>(
  items: readonly T[],
  write: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const startedAt = elapsedMs();
  for (const [index, item] of items.entries()) {
    if (index > 0 && elapsedMs() - startedAt > importLimits.routeWritesMs) throw new DividedBatch();
    await write(item, index);
  }
}
