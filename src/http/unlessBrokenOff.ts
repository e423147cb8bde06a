import type { IncomingMessage } from 'node:http';
import { malformed } from '../common/errors';

/**
 * Gives what reading a request's body gives. A client that goes away within it is told nothing, but its request ends: as
 * one that is malformed, not as a failure of ours, and also where what unpacks the body would wait for the rest for ever.
 * @throws ServiceError 1210 when the body breaks off
 */
export function unlessBrokenOff<T>(request: IncomingMessage, read: () => Promise<T>): Promise<T> {
  if (hasBrokenOff(request)) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    request.once('close', () => {
      if (hasBrokenOff(request)) reject(brokenOff());
    });
    read().then(resolve, (error: unknown) => reject(hasBrokenOff(request) ? brokenOff() : error));
  });
}

function hasBrokenOff({ destroyed, complete }: IncomingMessage): boolean {
  return destroyed && !complete;
}

function brokenOff(): Error {
  return malformed('The body breaks off');
}
