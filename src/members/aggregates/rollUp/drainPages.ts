import { setTimeout } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { hasLostRace } from '#base/db/transaction';

/** The limits of a drain: pages in all, and conflicts in a row. */
interface DrainLimits {
  pagesMax: number;
  conflictsMax: number;
}

/** Enough for all that a roll-up can find. */
const whole: DrainLimits = { pagesMax: 20_000, conflictsMax: 60 };

const pauseMaxMs = 500;

/** The number of documents of a processed page, and the id at which the next page may begin. */
export interface DrainedPage {
  size: number;
  last?: ObjectId;
}

/** The result of a page that found nothing. */
export const emptyDrain: DrainedPage = { size: 0 };

/**
 * Processes pages until nothing is left, or `pagesMax` pages, and returns the sum of their sizes. After a conflict with a concurrent run it
 * waits and tries the page again. The pause is random and grows, so that the other run can finish. Only the run that
 * commits a page counts it.
 *
 * `takePage` gets the id to begin at, so that it does not read over documents that were just deleted: their index
 * entries stay for minutes. After the last page it starts again at the beginning, for documents that were added before
 * that id.
 * @throws an error of `takePage` that is no conflict, or the last conflict when there were too many in a row
 */
export async function drainPages(
  takePage: (from: ObjectId | undefined) => Promise<DrainedPage>,
  { pagesMax, conflictsMax } = whole,
): Promise<number> {
  let total = 0;
  let conflicts = 0;
  let from: ObjectId | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    try {
      const { size, last } = await takePage(from);
      if (size === 0 && from === undefined) return total;
      total += size;
      from = last;
      conflicts = 0;
    } catch (error) {
      conflicts += 1;
      // When two transactions create the same document, the later one may get a duplicate key error instead of a
      // conflict.
      const isConflict = hasLostRace(error);
      if (!isConflict || conflicts > conflictsMax) throw error;
      await setTimeout(Math.random() * Math.min(20 * conflicts, pauseMaxMs));
    }
  }
  return total;
}
