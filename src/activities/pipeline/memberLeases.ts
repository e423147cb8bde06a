import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { endsIn, isOver } from '#base/db/leases/lease';
import { isDuplicateKey } from '#base/db/transaction';
import { instant, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * `lastsMs`: when a lease ends that its holder never ends. `waitMs`, `pollMs`: how long and how often another process
 * tries to take it. `rememberedMs`: how long a member counts as busy after a conflict.
 */
export const memberLeaseLimits = {
  lastsMs: 1000,
  waitMs: 1500,
  pollMs: 3,
  rememberedMs: 5000,
  rememberedMax: 10_000,
} as const;

/** Leases of busy members; `_id` is the member's id and `holder` a process. Internal. */
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
   * Takes the leases of those members for which another process's commit caused a conflict lately. Waits until it has
   * them or `waitMs` is over.
   * @returns true when it tried to take any: the caller must then read the members again
   */
  take(members: readonly ObjectId[]): Promise<boolean>;
  /** Notes a conflict: another process commits to these members too. The next `take` leases them. */
  noteConflict(members: readonly ObjectId[]): void;
  end(): Promise<void>;
}

/**
 * Makes processes that commit to the same busy member take turns. Otherwise the faster process would always win, and
 * the other would start over each time. A lease is only advice: the guard of the commit protects the ledger. So a lost
 * or expired lease costs one retry, nothing else.
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
  let leased: ObjectId[] = [];
  return {
    async take(members) {
      // A retry keeps the leases of the first attempt; `end` releases them.
      if (leased.length > 0) return false;
      // All processes take leases in the same order, so that two never wait for each other.
      leased = members
        .filter((id) => busy.has(id.toHexString()))
        .sort((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
      if (leased.length === 0) return false;
      const waitedLong = AbortSignal.timeout(memberLeaseLimits.waitMs);
      for (const id of leased) await waitFor(state, id, waitedLong);
      return true;
    },
    noteConflict(members) {
      for (const id of members) busy.set(id.toHexString(), true);
    },
    async end() {
      if (leased.length === 0) return;
      // A lease that cannot be released ends by itself. The error must not hide the outcome of the commit.
      await collectionOf(db, memberLeaseResource)
        .deleteMany({ _id: { $in: leased }, holder }, unsafe)
        .catch(() => undefined);
    },
  };
}

/** A lost lease is harmless, so these writes do not wait for MongoDB's journal. */
const unsafe = { writeConcern: { w: 1, journal: false } };

/**
 * Takes the lease of one member, or gives up when `waitedLong` fires. Most leases are taken where there was no record, so
 * one write makes it or takes it over, and the answer says whose it is.
 */
async function waitFor({ db, holder }: LeaseState, id: ObjectId, waitedLong: AbortSignal): Promise<void> {
  const isMine = { $or: [{ $eq: ['$holder', holder] }, isOver('until')] };
  const take = {
    holder: { $cond: [isMine, { $literal: holder }, '$holder'] },
    until: { $cond: [isMine, endsIn(memberLeaseLimits.lastsMs), '$until'] },
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
      // Another process inserted the lease at the same instant.
      if (!isDuplicateKey(error)) throw error;
    }
    await sleep(memberLeaseLimits.pollMs);
  }
}
