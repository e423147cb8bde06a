import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { elapsedMs } from '#base/common/clock';
import { errorCodes } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { timeouts } from '#base/db/timeouts';
import { admissionLimits, createAdmission } from '#base/limits/admission';
import { countRefusal } from './middleware';

/** What tells how a process is must be answered above all when it has too much to do. */
const alwaysAdmitted = /^\/(?:health\/|metrics)/;

/** While the oldest request is younger, in milliseconds, all are begun. Then a burst is over. */
const burstMs = 1000;

/** How often, in milliseconds, the requests in progress are looked at one by one. */
const lookEveryMs = 100;

/** A request in progress. */
interface Begun {
  request: IncomingMessage;
  at: number;
}

/**
 * Makes the function that tells whether a request may begin. While a process gets more than it can do, it spends its time
 * on requests that it refuses in the end, unless it refuses them before any work (decision 179).
 */
export function createRequestAdmission(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const admission = createAdmission(burstMs);
  /** The earliest first. */
  const begun = new Set<Begun>();
  let looked = { at: Number.NEGATIVE_INFINITY, resting: 0, oldest: undefined as number | undefined };
  const isOpen = (now: number) => {
    if (begun.size < admissionLimits.waitingMin) return true;
    if (now - looked.at >= lookEveryMs) looked = { at: now, ...lookAt(begun, now) };
    const oldestMs = looked.oldest === undefined ? undefined : now - looked.oldest;
    return admission.isOpen({ waiting: begun.size - looked.resting, oldestMs, now });
  };
  return (request, response) => {
    const entry = { request, at: elapsedMs() };
    if (!alwaysAdmitted.test(request.url ?? '') && !isOpen(entry.at)) return false;
    begun.add(entry);
    response.once('close', () => {
      begun.delete(entry);
      const isDone = response.writableFinished && response.statusCode !== errorCodes.unavailable.status;
      if (isDone) admission.noteDone(1, elapsedMs());
    });
    return true;
  };
}

/**
 * Counts the requests that cost nothing at the moment: those whose body has not arrived, and those that may take long, such
 * as exports. Finds when the earliest of the others began.
 */
function lookAt(begun: Iterable<Begun>, now: number): { resting: number; oldest: number | undefined } {
  let resting = 0;
  let oldest: number | undefined;
  for (const { request, at } of begun) {
    if (!request.complete || at <= now - timeouts.requestMs) resting += 1;
    else oldest ??= at;
  }
  return { resting, oldest };
}

/** Answers a request that may not begin. */
export function refuseRequest(response: ServerResponse, isLast: boolean): void {
  countRefusal();
  const { code, status } = errorCodes.unavailable;
  const requestId = randomUUID();
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': '1',
    'X-Request-Id': requestId,
    ...(isLast ? { Connection: 'close' } : {}),
  });
  response.end(JSON.stringify({ code, ...message('http.tooManyAtOnce'), status, requestId }));
}
