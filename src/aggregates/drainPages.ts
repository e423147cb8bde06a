import { isDuplicateKey, isTransient } from '../db/transaction';

/** Bounds of a drain: pages lost in a row to somebody else, pages in all, and the longest pause. */
const limits = { conflictsMax: 60, pagesMax: 20_000, pauseMaxMs: 500 } as const;

/**
 * Takes pages until one is empty and sums up their sizes. A page lost to a concurrent run is looked at again after a
 * growing random pause, which leaves the field to the other: the work is done once, by whoever commits.
 * @throws what `takePage` throws for another reason, or when it keeps losing
 */
export async function drainPages(takePage: () => Promise<number>): Promise<number> {
  let total = 0;
  let conflicts = 0;
  for (let pages = 0; pages < limits.pagesMax; pages += 1) {
    try {
      const size = await takePage();
      if (size === 0) return total;
      total += size;
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
