import assert from 'node:assert';
import { Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { Collection } from 'mongoose';
import { count, instant, list, objectId } from '#base/schema/atoms';
import type { Open } from './claimedTurns';
import { isOver } from './lease';

/** The fields of a record of long work that say whose it is. */
export const claimFields = {
  /** The run that may continue; a new one for each. */
  run: Type.Optional(objectId()),
  /** How many processes ended during a run, since the last progress. */
  attempts: count(),
  /** The runs of those processes. */
  lostRuns: Type.Optional(list(objectId(), 20)),
  /** When a worker took it last, and when its run last said that it lives. */
  takenAt: Type.Optional(instant()),
  aliveAt: Type.Optional(instant()),
};

/** The names of these fields, which nobody is shown. */
export const hiddenClaimFields = ['run', 'attempts', 'lostRuns', 'takenAt', 'aliveAt'] as const;

/** A piece of long work in its record. */
export interface Claimable {
  _id: ObjectId;
  org: ObjectId;
  status: string;
  run?: ObjectId;
  attempts: number;
  lostRuns?: ObjectId[];
  startedAt?: Date;
  takenAt?: Date;
  aliveAt?: Date;
}

/** A run that this process has claimed. */
export type Claimed = Pick<Claimable, '_id' | 'org'> & { run?: ObjectId | undefined };

/** Thrown to end a run: its work was stopped or deleted, another run took over, or the process ends. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** The filter of work while it belongs to a run. */
export function own({ _id, org, run }: Claimed) {
  assert(run, 'a run has an id');
  return { _id, org, run, status: 'Running' as const };
}

export type OwnFilter = ReturnType<typeof own>;

/** A run to give back, and what is written with it. */
export interface ReturnedRun {
  own: OwnFilter;
  set: object;
}

/** Stores that a run is given back. @returns false when the store does not answer */
export async function tryToGiveBack(
  work: Collection<Claimable>,
  { own: mine, set }: ReturnedRun,
  returnedStatus: string,
): Promise<boolean> {
  const { _id, org, run } = mine;
  const back = { $unset: { aliveAt: '', run: '' }, $set: { ...set, status: returnedStatus } } as const;
  try {
    const { matchedCount } = await work.updateOne(mine, back);
    if (matchedCount > 0) return true;
    await work.updateOne({ _id, org, lostRuns: run }, { $pull: { lostRuns: run }, $inc: { attempts: -1 } });
    return true;
  } catch {
    return false;
  }
}

/** Takes a piece of work that waits or is silent. Undefined when another process was faster. */
export async function take(
  work: Collection<Claimable>,
  now: Date,
  { _id, org, run: before }: Open,
  { statuses, silentMaxMs }: { statuses: readonly string[]; silentMaxMs: number },
): Promise<OwnFilter | undefined> {
  const run = new ObjectId();
  // A run that gave itself back has no `aliveAt`, and was not lost.
  const lostRunIfAny = {
    $cond: [{ $eq: [{ $type: '$aliveAt' }, 'missing'] }, [], [{ $ifNull: ['$run', run] }]],
  };
  const lostRuns = { $concatArrays: [{ $ifNull: ['$lostRuns', []] }, lostRunIfAny] };
  const found = await work.findOneAndUpdate(
    {
      _id,
      org,
      status: { $in: [...statuses] },
      run: before ?? { $exists: false },
      $expr: isOver('aliveAt', silentMaxMs),
    },
    [
      {
        $set: {
          run,
          aliveAt: '$$NOW',
          takenAt: now,
          startedAt: { $ifNull: ['$startedAt', now] },
          status: 'Running',
          attempts: { $add: ['$attempts', { $size: lostRunIfAny }] },
          lostRuns,
        },
      },
    ],
    { projection: { _id: 1 } },
  );
  return found ? own({ _id, org, run }) : undefined;
}
