import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { addDecimals } from '#base/common/addDecimals';
import { updateAll } from '#base/db/collections';
import { GuardFailed } from '#base/db/transaction';
import type { WindowUse } from '#engine/rules/format/windowUses';
import { limitCounterResource } from '#records/activities/limitCounter';

/** The new state of the counter of a limit by a window. */
export interface WindowChange {
  id: ObjectId;
  /** How often it was written before; 0 when it is new. */
  seenWrites: number;
  uses: readonly WindowUse[];
}

/**
 * Writes the counters of limits by windows.
 * @throws GuardFailed when another commit wrote one of them since it was read
 */
export async function updateWindows(
  db: Connection,
  session: ClientSession,
  { org, now, windows }: { org: ObjectId; now: Date; windows: readonly WindowChange[] },
): Promise<void> {
  const updates = windows.map(({ id, seenWrites, uses }) => ({
    // A missing counter was never written. When two processes insert it at once, the unique `_id` stops one of them.
    q: { _id: id, org, writes: seenWrites },
    u: {
      $set: {
        uses,
        used: uses.map(({ amount }) => amount).reduce(addDecimals, 0),
        writes: seenWrites + 1,
        updatedAt: now,
      },
      $setOnInsert: { createdAt: now },
    },
    upsert: seenWrites === 0,
  }));
  const found = await updateAll(db, session, limitCounterResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('A limit was used meanwhile');
}
