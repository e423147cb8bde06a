/** How many rows are written in one transaction. It follows what the store can take at present. */
export interface BatchSize {
  current(): number;
  /** So many rows took too long: fewer are tried next. */
  ranOutOfTime(rows: number): void;
  /** So many rows were written. After some in a row, more are tried. */
  wasWritten(rows: number): void;
}

/** Writes in a row after which the size grows, and the most that it takes after sizes that were too large again. */
const growsAfter = { first: 4, most: 64 };

/**
 * Makes a size that is halved down to one row, and doubled after some writes. Each time that a larger size runs out of time
 * again, twice as many writes have to succeed before the next attempt to grow.
 */
export function createBatchSize(max: number, from = max): BatchSize {
  let current = Math.min(max, Math.max(1, from));
  let written = 0;
  let needed = growsAfter.first;
  let hasGrown = false;
  return {
    current: () => current,
    ranOutOfTime(rows) {
      current = Math.max(1, Math.min(current, Math.floor(rows / 2)));
      if (hasGrown) needed = Math.min(growsAfter.most, needed * 2);
      [written, hasGrown] = [0, false];
    },
    wasWritten(rows) {
      if (current === max || rows < current) return;
      written += 1;
      if (written < needed) return;
      current = Math.min(max, current * 2);
      [written, hasGrown] = [0, true];
    },
  };
}
