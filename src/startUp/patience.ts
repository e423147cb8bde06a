import { messageOf } from '../common/systemError';

/** How long a single answer may take, in milliseconds. */
export const answerLimitMs = 5000;

/** How soon a server that is away is tried again, in milliseconds. */
export const retryMs = 1000;

/** How long a check waits for a server that does not answer. */
export interface Patience {
  waitMs: number;
  /** Receives, about once a second, why the server cannot be used yet. */
  onAway(reason: string): void;
}

/** Returns the first line of an error's message, because drivers write many lines. */
export function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
