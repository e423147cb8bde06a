import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { isDuplicateKey } from '../../db/transaction';
import { instant, text } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** How long a lease lasts when its holder never ends it, and how long another waits for it. */
export const memberLeaseLimits = {
  heldMs: 1000,
  waitMs: 1500,
  pollMs: 3,
  rememberedMs: 5000,
  rememberedMax: 10_000,
} as const;

/** Leases of busy members to processes; `_id` is the member's. Internal. */
export const memberLeaseResource = defineResource({
  name: 'Lease',
  path: 'leases',
  isInternal: true,
  fields: { holder: text(100), until: instant() },
  indexes: [{ keys: { until: 1 }, expireAfterSeconds: 60 }],
});

/** The lease of the members that one batch works on. */
export interface MemberLease {
  /**
   * Waits for the lease of these members when commits of others got in the way of them lately.
   * @returns true when it waited, so that what was read before is old
   */
  take(members: readonly ObjectId[]): Promise<boolean>;
  /** Remembers that another process commits to these members too; the next `take` waits for the lease. */
  noteConflict(members: readonly ObjectId[]): void;
  end(): Promise<void>;
}

/**
 * Lets processes that commit to the same busy member go one after the other, where otherwise the quicker one would always
 * come first and the other start over. Only advice: the guard of the commit is what keeps the ledger right, so a lease
 * that is lost or expired costs a retry and nothing else.
 */
export function createMemberLeases(db: Connection): () => MemberLease {
  const busy = new LRUCache<string, true>({
    max: memberLeaseLimits.rememberedMax,
    ttl: memberLeaseLimits.rememberedMs,
  });
  const holder = randomUUID();
  return () => openLease({ db, busy, holder });
}

interface LeaseState {
  db: Connection;
  busy: LRUCache<string, true>;
  holder: string;
}

function openLease(state: LeaseState): MemberLease {
  const { db, busy, holder } = state;
  let held: ObjectId[] = [];
  return {
    async take(members) {
      // A retry keeps the lease that it has; `end` gives it back.
      if (held.length > 0) return false;
      // In one order for all, so that two processes never wait for each other.
      held = members
        .filter((id) => busy.has(id.toHexString()))
        .sort((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
      if (held.length === 0) return false;
      const waitedLong = AbortSignal.timeout(memberLeaseLimits.waitMs);
      for (const id of held) await waitFor(state, id, waitedLong);
      return true;
    },
    noteConflict(members) {
      for (const id of members) busy.set(id.toHexString(), true);
    },
    async end() {
      if (held.length === 0) return;
      // A lease that cannot be given back ends by itself; what was committed must be answered all the same.
      await collectionOf(db, memberLeaseResource)
        .deleteMany({ _id: { $in: held }, holder }, unsafe)
        .catch(() => undefined);
    },
  };
}

/** A lost lease is harmless, so nobody waits for the journal. */
const unsafe = { writeConcern: { w: 1, journal: false } };

/** Takes the lease of one member, or gives up when it has waited long. The server's clock says when a lease is over. */
async function waitFor({ db, holder }: LeaseState, id: ObjectId, waitedLong: AbortSignal): Promise<void> {
  const isMine = { $or: [{ $eq: ['$holder', holder] }, { $lte: ['$until', '$$NOW'] }] };
  const take = {
    holder: { $cond: [isMine, { $literal: holder }, '$holder'] },
    until: { $cond: [isMine, { $add: ['$$NOW', memberLeaseLimits.heldMs] }, '$until'] },
  };
  const options = { upsert: true, returnDocument: 'after', ...unsafe } as const;
  while (!waitedLong.aborted) {
    try {
      const lease = await collectionOf(db, memberLeaseResource).findOneAndUpdate(
        { _id: id },
        [{ $set: take }],
        options,
      );
      if (lease?.holder === holder) return;
    } catch (error) {
      // Two made the lease at once.
      if (!isDuplicateKey(error)) throw error;
    }
    await sleep(memberLeaseLimits.pollMs);
  }
}
