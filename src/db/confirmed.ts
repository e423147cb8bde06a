import { waits } from './waits';

/**
 * Options of a read that tells what is so for good: it sees the latest that the primary has, and answers only when a
 * majority has it too. What it does not find was not committed before it.
 */
export const confirmed = {
  readConcern: { level: 'linearizable' },
  maxTimeMS: waits.majorityMs,
  batchSize: 1001,
} as const;
