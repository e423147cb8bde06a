import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { Connection } from 'mongoose';
import { derivedId } from '../db/derivedId';
import { collectionOf, defineResource } from '../db/resource';
import { isDuplicateKey } from '../db/transaction';
import { instant, text } from '../schema/atoms';

/** How many lanes the inbox has; submissions of one member are always in the same. */
export const laneCount = 64;

/** How long a claim lasts; after a crash its lanes are free again this much later. */
export const claimMs = 10_000;

/** Claims of lanes by workers, and the workers' signs of life. Internal. */
export const laneResource = defineResource({
  name: 'Lane',
  path: 'lanes',
  isInternal: true,
  fields: {
    /** The lane's number; absent in a worker's sign of life. */
    lane: Type.Optional(Type.Integer({ minimum: 0, maximum: laneCount - 1 })),
    owner: text(100),
    claimedUntil: instant(),
  },
});

/** The lane of a member: the same for everything that is sent for it. */
export function laneOf(member: string): number {
  return createHash('sha256').update(member).digest().readUInt16BE(0) % laneCount;
}

/**
 * Claims this worker's fair share of the lanes, renews the claims it has and gives up what is over its share, so that
 * each lane is worked off by one worker.
 * @returns the lanes that are this worker's until `claimMs` after `now`
 */
export async function claimLanes(db: Connection, owner: string, now: Date): Promise<number[]> {
  const until = new Date(now.getTime() + claimMs);
  const lanes = collectionOf(db, laneResource);
  await lanes.updateOne(
    { _id: derivedId('worker', owner) },
    { $set: { owner, claimedUntil: until } },
    { upsert: true },
  );
  const claims = await lanes.find({}).toArray();
  const live = claims.filter((claim) => claim.claimedUntil > now);
  const workers = live.filter((claim) => claim.lane === undefined).length;
  const share = Math.ceil(laneCount / Math.max(1, workers));
  const mine = live.flatMap((claim) => (claim.owner === owner && claim.lane !== undefined ? [claim.lane] : []));
  const taken = new Set(live.flatMap((claim) => (claim.lane === undefined ? [] : [claim.lane])));
  const free = allLanes.filter((lane) => !taken.has(lane));
  const kept = mine.slice(0, share);
  await release(db, owner, mine.slice(share), now);
  const wanted = [...kept, ...free.slice(0, share - kept.length)];
  const won = await Promise.all(wanted.map((lane) => claim(db, owner, lane, now, until)));
  return wanted.filter((_lane, index) => won[index]);
}

const allLanes = Array.from({ length: laneCount }, (_unused, lane) => lane);

async function claim(db: Connection, owner: string, lane: number, now: Date, until: Date): Promise<boolean> {
  try {
    const result = await collectionOf(db, laneResource).updateOne(
      { _id: derivedId('lane', lane), $or: [{ owner }, { claimedUntil: { $lte: now } }] },
      { $set: { lane, owner, claimedUntil: until } },
      { upsert: true },
    );
    return result.matchedCount + result.upsertedCount === 1;
  } catch (error) {
    // Another worker holds the lane: the filter missed it and the upsert met its `_id`.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function release(db: Connection, owner: string, lanes: readonly number[], now: Date): Promise<void> {
  if (lanes.length === 0) return;
  await collectionOf(db, laneResource).updateMany(
    { owner, lane: { $in: [...lanes] } },
    { $set: { claimedUntil: now } },
  );
}

/** Gives up everything this worker holds, at its orderly end. */
export async function releaseLanes(db: Connection, owner: string): Promise<void> {
  await collectionOf(db, laneResource).deleteMany({ owner });
}
