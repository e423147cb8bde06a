import { Type } from '@sinclair/typebox';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { defineLeases, isOver } from '#base/db/leases/lease';
import { derivedId } from '#base/db/records';
import { isDuplicateKey } from '#base/db/transaction';
import { instant, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import { partitionCount } from '#records/activities/inboxPartition';

/**
 * `lastsMs`: how long a worker's lease lasts after a renewal, by the database's clock. `renewedEveryMs`: how often it
 * renews. Other workers may take the partitions of a worker whose lease has ended.
 */
export const partitionLeaseLimits = { lastsMs: 2000, renewedEveryMs: 500 } as const;

/** The owner of each partition, and the lease of each worker. Internal. */
export const partitionResource = defineResource({
  name: 'Partition',
  path: 'partitions',
  isInternal: true,
  fields: {
    /** The number of the partition; absent in the record of a worker's lease. */
    partition: Type.Optional(Type.Integer({ minimum: 0, maximum: partitionCount - 1 })),
    owner: text(100),
    /** When the lease of a worker ends; absent in the record of a partition. */
    claimedUntil: Type.Optional(instant()),
  },
  indexes: [{ keys: { claimedUntil: 1 }, where: { claimedUntil: { $exists: true } }, expireAfterSeconds: 60 }],
});

/**
 * A worker has one lease for all its partitions, so that 64 partitions need one renewal. A partition only names its
 * owner.
 */
const workers = defineLeases({ holder: 'owner', until: 'claimedUntil', ...partitionLeaseLimits });

/** The owner of a released partition. */
const nobody = 'nobody';

interface Row {
  partition?: number;
  owner: string;
  isAlive: boolean;
}

/**
 * Renews the lease of this worker. Then it takes free partitions up to the worker's fair share and releases those above
 * it, so that one worker drains each partition. Only the database's clock counts, because the clocks of processes may
 * differ.
 * @returns the partitions that this worker leases for `partitionLeaseLimits.lastsMs` from the call on
 */
export async function claimPartitions(db: Connection, owner: string): Promise<number[]> {
  const partitions = collectionOf(db, partitionResource);
  await partitions.updateOne({ _id: derivedId('worker', owner) }, workers.taken(owner), { upsert: true });
  const isAlive = { $not: isOver('claimedUntil') };
  const rows = await partitions.aggregate<Row>([{ $project: { partition: 1, owner: 1, isAlive } }]).toArray();
  const alive = new Set(rows.flatMap((row) => (row.partition === undefined && row.isAlive ? [row.owner] : [])));
  const owners = new Map(
    rows.flatMap((row) => (row.partition === undefined ? [] : [[row.partition, row.owner] as const])),
  );
  const share = Math.ceil(partitionCount / Math.max(1, alive.size));
  const own = allPartitions.filter((partition) => owners.get(partition) === owner);
  const free = allPartitions.filter((partition) => !alive.has(owners.get(partition) ?? nobody));
  const kept = own.slice(0, share);
  await giveUp(db, owner, own.slice(share));
  const wanted = free.slice(0, share - kept.length);
  const won = await Promise.all(wanted.map((partition) => claim(db, owner, partition, owners.get(partition))));
  return [...kept, ...wanted.filter((_partition, index) => won[index])];
}

/** The numbers of all partitions. */
export const allPartitions: readonly number[] = Array.from(
  { length: partitionCount },
  (_unused, partition) => partition,
);

/** Takes a partition from its last known owner. False when another worker was faster. */
async function claim(db: Connection, owner: string, partition: number, seen: string | undefined): Promise<boolean> {
  try {
    const result = await collectionOf(db, partitionResource).updateOne(
      { _id: derivedId('partition', partition), owner: seen ?? nobody },
      { $set: { partition, owner } },
      { upsert: seen === undefined },
    );
    return result.matchedCount + result.upsertedCount === 1;
  } catch (error) {
    // Another worker inserted the partition first: the filter did not match it, and the upsert hit its `_id`.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function giveUp(db: Connection, owner: string, partitions: readonly number[]): Promise<void> {
  if (partitions.length === 0) return;
  await collectionOf(db, partitionResource).updateMany(
    { owner, partition: { $in: [...partitions] } },
    { $set: { owner: nobody } },
  );
}

/** Releases all partitions of this worker and ends its lease, when the worker stops. */
export async function releasePartitions(db: Connection, owner: string): Promise<void> {
  await collectionOf(db, partitionResource).deleteMany({ owner });
}
