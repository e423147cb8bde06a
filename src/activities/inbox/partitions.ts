import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { derivedId } from '../../db/records';
import { isDuplicateKey } from '../../db/transaction';
import { instant, text } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** How many partitions the inbox has; submissions of one member are always in the same. */
export const partitionCount = 64;

/**
 * How long a worker counts as alive after its last sign of life, by the server's clock, and how often it gives one. The
 * partitions of one that does not are free.
 */
export const partitionLeaseLimits = { lastsMs: 2000, renewedEveryMs: 500 } as const;

/** Whose each partition is, and the workers' signs of life. Internal. */
export const partitionResource = defineResource({
  name: 'Partition',
  path: 'partitions',
  isInternal: true,
  fields: {
    /** The partition's number; absent in a worker's sign of life. */
    partition: Type.Optional(Type.Integer({ minimum: 0, maximum: partitionCount - 1 })),
    owner: text(100),
    /** Of a sign of life: until when the worker counts as alive. */
    claimedUntil: Type.Optional(instant()),
  },
  indexes: [{ keys: { claimedUntil: 1 }, where: { claimedUntil: { $exists: true } }, expireAfterSeconds: 60 }],
});

/** The partition of a member: the same for everything that is sent for it. */
export function partitionOf(member: string): number {
  return createHash('sha256').update(member).digest().readUInt16BE(0) % partitionCount;
}

/** Who owns a partition that was given up. */
const nobody = 'nobody';

interface Row {
  partition?: number;
  owner: string;
  isAlive: boolean;
}

/**
 * Gives a sign of life, claims this worker's fair share of the partitions that nobody alive has and gives up what is over its
 * share, so that each partition is worked off by one worker. Only the server's clock counts: those of processes may differ.
 * @returns the partitions that are this worker's for `leaseLimits.lastsMs` from the call on
 */
export async function claimPartitions(db: Connection, owner: string): Promise<number[]> {
  const partitions = collectionOf(db, partitionResource);
  const signOfLife = { owner: { $literal: owner }, claimedUntil: { $add: ['$$NOW', partitionLeaseLimits.lastsMs] } };
  await partitions.updateOne({ _id: derivedId('worker', owner) }, [{ $set: signOfLife }], { upsert: true });
  const isAlive = { $gt: ['$claimedUntil', '$$NOW'] };
  const rows = await partitions.aggregate<Row>([{ $project: { partition: 1, owner: 1, isAlive } }]).toArray();
  const alive = new Set(rows.flatMap((row) => (row.partition === undefined && row.isAlive ? [row.owner] : [])));
  const owners = new Map(
    rows.flatMap((row) => (row.partition === undefined ? [] : [[row.partition, row.owner] as const])),
  );
  const share = Math.ceil(partitionCount / Math.max(1, alive.size));
  const mine = allPartitions.filter((partition) => owners.get(partition) === owner);
  const free = allPartitions.filter((partition) => !alive.has(owners.get(partition) ?? nobody));
  const kept = mine.slice(0, share);
  await giveUp(db, owner, mine.slice(share));
  const wanted = free.slice(0, share - kept.length);
  const won = await Promise.all(wanted.map((partition) => claim(db, owner, partition, owners.get(partition))));
  return [...kept, ...wanted.filter((_partition, index) => won[index])];
}

const allPartitions = Array.from({ length: partitionCount }, (_unused, partition) => partition);

/** Takes a partition from the one who was seen to own it, if nobody was quicker. */
async function claim(db: Connection, owner: string, partition: number, seen: string | undefined): Promise<boolean> {
  try {
    const result = await collectionOf(db, partitionResource).updateOne(
      { _id: derivedId('partition', partition), owner: seen ?? nobody },
      { $set: { partition, owner } },
      { upsert: seen === undefined },
    );
    return result.matchedCount + result.upsertedCount === 1;
  } catch (error) {
    // Another worker made the partition: the filter missed it and the upsert met its `_id`.
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

/** Gives up everything this worker holds, at its orderly end. */
export async function releasePartitions(db: Connection, owner: string): Promise<void> {
  await collectionOf(db, partitionResource).deleteMany({ owner });
}
