import { setTimeout as sleep } from 'node:timers/promises';
import { invalidField, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** How long a request waits for the first one with its key, and how often it looks. */
const waitMaxMs = 2000;
const pollMs = 50;

/**
 * Repeats an attempt while the first request with the same key is in flight. All kinds of keys wait in this way.
 * @param attempt throws {@link inFlight} while the first request is in flight
 * @throws ServiceError 1270 when that request is still in flight after 2 s
 */
export async function whileInFlight<T>(attempt: () => Promise<T>): Promise<T> {
  let waitedLong: AbortSignal | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isInFlight = error instanceof ServiceError && error.reason === 'inFlight';
      if (!isInFlight || waitedLong?.aborted) throw error;
      waitedLong ??= AbortSignal.timeout(waitMaxMs);
      await sleep(pollMs);
    }
  }
}

/** The error of a request while the first one with its key is in flight. */
export function inFlight(): ServiceError {
  return new ServiceError('inFlight', message('http.keyInFlight'));
}

/** The error of a request whose key was used for a different one. @param path what the key was sent as */
export function keyReused(path: 'Idempotency-Key' | 'externalTxnId'): ServiceError {
  return invalidField(path, 'unique', message('http.keyReused'));
}
