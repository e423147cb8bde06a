import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '#base/common/systemError';
import { classifyStoreFailure } from '#base/db/storeFailure';

/** How long, in milliseconds, a process waits for its stores. They may have been started at the same time. */
export const waitMs = 30_000;

/** How long a single answer may take, in milliseconds. */
export const answerLimitMs = 5000;

/** How soon a server that is unavailable is tried again, in milliseconds. */
export const retryMs = 1000;

/** How long a check waits for a server that does not answer. */
export interface RetryPolicy {
  waitMs: number;
  /** Receives, about once a second, why the server cannot be used yet. */
  onAway(reason: string): void;
}

/**
 * Does a step of a start, repeatedly while a store is unavailable, for as long as a start waits. A store may go away
 * between two steps, too.
 * @throws the error of the last attempt
 */
export async function withRetries<T>(step: () => Promise<T>, patience: RetryPolicy): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await step();
    } catch (error) {
      const isOver = performance.now() - startedAt + retryMs > patience.waitMs;
      if (isOver || !classifyStoreFailure(error)) throw error;
      patience.onAway(firstLine(error));
    }
    await sleep(retryMs);
  }
}

/** Returns the first line of an error's message, because drivers write many lines. */
export function firstLine(error: unknown): string {
  return errorMessage(error).split('\n')[0] ?? '';
}
