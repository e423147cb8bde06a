import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { derivedId } from '../../db/records';
import { isDuplicateKey } from '../../db/transaction';
import { instant, text } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** How many lanes the inbox has; submissions of one member are always in the same. */
export const partitionCount = 64;

/**
 * How long a worker counts as alive after its last sign of life, by the server's clock, and how often it gives one. The
 * lanes of one that does not are free.
 */
export const partitionLeaseLimits = { lastsMs: 2000, renewedEveryMs: 500 } as const;

/** Whose each lane is, and the workers' signs of life. Internal. */
export const partitionResource = defineResource({
  name: 'Lane',
  path: 'lanes',
  isInternal: true,
  fields: {
    /** The lane's number; absent in a worker's sign of life. */
    lane: Type.Optional(Type.Integer({ minimum: 0, maximum: partitionCount - 1 })),
    owner: text(100),
    /** Of a sign of life: until when the worker counts as alive. */
    claimedUntil: Type.Optional(instant()),
  },
  indexes: [{ keys: { claimedUntil: 1 }, where: { claimedUntil: { $exists: true } }, expireAfterSeconds: 60 }],
});

/** The lane of a member: the same for everything that is sent for it. */
export function partitionOf(member: string): number {
  return createHash('sha256').update(member).digest().readUInt16BE(0) % partitionCount;
}

/** Who owns a lane that was given up. */
const nobody = 'nobody';

interface Row {
  lane?: number;
  owner: string;
  isAlive: boolean;
}

/**
 * Gives a sign of life, claims this worker's fair share of the lanes that nobody alive has and gives up what is over its
 * share, so that each lane is worked off by one worker. Only the server's clock counts: those of processes may differ.
 * @returns the lanes that are this worker's for `leaseLimits.lastsMs` from the call on
 */
export async function claimPartitions(db: Connection, owner: string): Promise<number[]> {
  const lanes = collectionOf(db, partitionResource);
  const signOfLife = { owner: { $literal: owner }, claimedUntil: { $add: ['$$NOW', partitionLeaseLimits.lastsMs] } };
  await lanes.updateOne({ _id: derivedId('worker', owner) }, [{ $set: signOfLife }], { upsert: true });
  const isAlive = { $gt: ['$claimedUntil', '$$NOW'] };
  const rows = await lanes.aggregate<Row>([{ $project: { lane: 1, owner: 1, isAlive } }]).toArray();
  const alive = new Set(rows.flatMap((row) => (row.lane === undefined && row.isAlive ? [row.owner] : [])));
  const owners = new Map(rows.flatMap((row) => (row.lane === undefined ? [] : [[row.lane, row.owner] as const])));
  const share = Math.ceil(partitionCount / Math.max(1, alive.size));
  const mine = allLanes.filter((lane) => owners.get(lane) === owner);
  const free = allLanes.filter((lane) => !alive.has(owners.get(lane) ?? nobody));
  const kept = mine.slice(0, share);
  await giveUp(db, owner, mine.slice(share));
  const wanted = free.slice(0, share - kept.length);
  const won = await Promise.all(wanted.map((lane) => claim(db, owner, lane, owners.get(lane))));
  return [...kept, ...wanted.filter((_lane, index) => won[index])];
}

const allLanes = Array.from({ length: partitionCount }, (_unused, lane) => lane);

/** Takes a lane from the one who was seen to own it, if nobody was quicker. */
async function claim(db: Connection, owner: string, lane: number, seen: string | undefined): Promise<boolean> {
  try {
    const result = await collectionOf(db, partitionResource).updateOne(
      { _id: derivedId('lane', lane), owner: seen ?? nobody },
      { $set: { lane, owner } },
      { upsert: seen === undefined },
    );
    return result.matchedCount + result.upsertedCount === 1;
  } catch (error) {
    // Another worker made the lane: the filter missed it and the upsert met its `_id`.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function giveUp(db: Connection, owner: string, lanes: readonly number[]): Promise<void> {
  if (lanes.length === 0) return;
  await collectionOf(db, partitionResource).updateMany(
    { owner, lane: { $in: [...lanes] } },
    { $set: { owner: nobody } },
  );
}

/** Gives up everything this worker holds, at its orderly end. */
export async function releasePartitions(db: Connection, owner: string): Promise<void> {
  await collectionOf(db, partitionResource).deleteMany({ owner });
}
