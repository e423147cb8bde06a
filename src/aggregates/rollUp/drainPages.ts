import type { ObjectId } from 'bson';
import { isDuplicateKey, isTransient } from '../../db/transaction';

/** Bounds of a drain: pages lost in a row to somebody else, pages in all, and the longest pause. */
const limits = { conflictsMax: 60, pagesMax: 20_000, pauseMaxMs: 500 } as const;

/** What a page took: how many, and where the next page may begin. */
export interface Page {
  size: number;
  last?: ObjectId;
}

/** A page that found nothing. */
export const emptyPage: Page = { size: 0 };

/**
 * Takes pages until nothing is left and sums up their sizes. A page lost to a concurrent run is looked at again after
 * a growing random pause, which leaves the field to the other: the work is done once, by whoever commits.
 *
 * `takePage` gets where to begin, so that it need not read over what was just taken (deleted index entries stay in
 * the way for minutes); after the end it is asked from the beginning, for what came in before that place.
 * @throws what `takePage` throws for another reason, or when it keeps losing
 */
export async function drainPages(takePage: (from: ObjectId | undefined) => Promise<Page>): Promise<number> {
  let total = 0;
  let conflicts = 0;
  let from: ObjectId | undefined;
  for (let pages = 0; pages < limits.pagesMax; pages += 1) {
    try {
      const { size, last } = await takePage(from);
      if (size === 0 && from === undefined) return total;
      total += size;
      from = last;
      conflicts = 0;
    } catch (error) {
      conflicts += 1;
      // Two transactions that make the same document: the later one may meet the key instead of a conflict.
      const isConflict = isTransient(error) || isDuplicateKey(error);
      if (!isConflict || conflicts > limits.conflictsMax) throw error;
      await pause(Math.random() * Math.min(20 * conflicts, limits.pauseMaxMs));
    }
  }
  return total;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
