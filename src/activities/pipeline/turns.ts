import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { isDuplicateKey } from '../../db/transaction';
import { instant, text } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** How long a turn lasts when its holder never ends it, and how long another waits for it. */
export const turnLimits = { heldMs: 1000, waitMs: 1500, pollMs: 3, rememberedMs: 5000, rememberedMax: 10_000 } as const;

/** Turns of processes at busy members; `_id` is the member's. Internal. */
export const turnResource = defineResource({
  name: 'Turn',
  path: 'turns',
  isInternal: true,
  fields: { holder: text(100), until: instant() },
  indexes: [{ keys: { until: 1 }, expireAfterSeconds: 60 }],
});

/** The turn of one batch at the members it works on. */
export interface Turn {
  /**
   * Waits for the turn at these members when commits of others got in the way of them lately.
   * @returns true when it waited, so that what was read before is old
   */
  take(members: readonly ObjectId[]): Promise<boolean>;
  /** Remembers that another process commits to these members too; the next `take` waits for its turn. */
  noteConflict(members: readonly ObjectId[]): void;
  end(): Promise<void>;
}

/**
 * Lets processes that commit to the same busy member take turns, where otherwise the quicker one would always come
 * first and the other start over. Only advice: the guard of the commit is what keeps the ledger right, so a turn that is
 * lost or expired costs a retry and nothing else.
 */
export function createTurns(db: Connection): () => Turn {
  const busy = new LRUCache<string, true>({ max: turnLimits.rememberedMax, ttl: turnLimits.rememberedMs });
  const holder = randomUUID();
  return () => openTurn({ db, busy, holder });
}

interface TurnState {
  db: Connection;
  busy: LRUCache<string, true>;
  holder: string;
}

function openTurn(state: TurnState): Turn {
  const { db, busy, holder } = state;
  let held: ObjectId[] = [];
  return {
    async take(members) {
      // A retry keeps the turn that it has; `end` gives it back.
      if (held.length > 0) return false;
      // In one order for all, so that two processes never wait for each other.
      held = members
        .filter((id) => busy.has(id.toHexString()))
        .sort((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
      if (held.length === 0) return false;
      const waitedLong = AbortSignal.timeout(turnLimits.waitMs);
      for (const id of held) await waitFor(state, id, waitedLong);
      return true;
    },
    noteConflict(members) {
      for (const id of members) busy.set(id.toHexString(), true);
    },
    async end() {
      if (held.length === 0) return;
      // A turn that cannot be given back ends by itself; what was committed must be answered all the same.
      await collectionOf(db, turnResource)
        .deleteMany({ _id: { $in: held }, holder }, unsafe)
        .catch(() => undefined);
    },
  };
}

/** A lost turn is harmless, so nobody waits for the journal. */
const unsafe = { writeConcern: { w: 1, journal: false } };

/** Takes the turn at one member, or gives up when it has waited long. The server's clock says when a turn is over. */
async function waitFor({ db, holder }: TurnState, id: ObjectId, waitedLong: AbortSignal): Promise<void> {
  const isMine = { $or: [{ $eq: ['$holder', holder] }, { $lte: ['$until', '$$NOW'] }] };
  const take = {
    holder: { $cond: [isMine, { $literal: holder }, '$holder'] },
    until: { $cond: [isMine, { $add: ['$$NOW', turnLimits.heldMs] }, '$until'] },
  };
  const options = { upsert: true, returnDocument: 'after', ...unsafe } as const;
  while (!waitedLong.aborted) {
    try {
      const turn = await collectionOf(db, turnResource).findOneAndUpdate({ _id: id }, [{ $set: take }], options);
      if (turn?.holder === holder) return;
    } catch (error) {
      // Two made the turn at once.
      if (!isDuplicateKey(error)) throw error;
    }
    await sleep(turnLimits.pollMs);
  }
}
