import type { ObjectId } from 'bson';
import { elapsedMs } from '#base/common/clock';

/** What decides whose turn it is. */
export interface Open {
  _id: ObjectId;
  org: ObjectId;
  run?: ObjectId;
  /** False when its run said lately that it lives. */
  isSilent: boolean;
  takenAt?: Date;
  waiting?: { nextTryAt: Date };
}

/**
 * The work that waits, that whose turn it is first: that of an org of which the least runs, and of this what was taken
 * longest ago, or never.
 */
export function inFairOrder(open: readonly Open[], now: Date): Open[] {
  const running = new Map<string, number>();
  for (const each of open.filter(({ isSilent }) => !isSilent))
    running.set(each.org.toHexString(), runningCount(running, each) + 1);
  const mayBegin = ({ isSilent, waiting }: Open) => isSilent && !(waiting && waiting.nextTryAt > now);
  return open
    .filter(mayBegin)
    .sort(
      (one, other) =>
        runningCount(running, one) - runningCount(running, other) ||
        (one.takenAt?.getTime() ?? 0) - (other.takenAt?.getTime() ?? 0) ||
        one._id.toHexString().localeCompare(other._id.toHexString()),
    );
}

function runningCount(running: ReadonlyMap<string, number>, { org }: Open): number {
  return running.get(org.toHexString()) ?? 0;
}

/** How long a run has its turn while others wait: so long, or so many times as long as it took to begin. */
export interface Turn {
  turnMs: number;
  perSkipped: number;
}

/** Asks whether a run yields. */
export type AsksTurn = () => Promise<boolean>;

/**
 * Makes the question whether a run yields. It is asked for the first time when the run has come to what it has to do.
 * @param elapsed reads the time; only tests that cannot wait as long give their own
 */
export function createTurn(
  { turnMs, perSkipped }: Turn,
  othersWait: AsksTurn,
  elapsed: () => number = elapsedMs,
): AsksTurn {
  const startedAt = elapsed();
  let endsAt: number | undefined;
  return async () => {
    const now = elapsed();
    endsAt ??= startedAt + Math.max(turnMs, (now - startedAt) * perSkipped);
    return now >= endsAt && (await othersWait());
  };
}
