import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Context } from './requestState';

/** The status in metrics of a request whose client left before its body was read. Nobody gets it as an answer. */
export const abortedStatus = 499;

/** The error of a body whose client left before its end. */
class BrokenOff extends ServiceError {
  constructor() {
    super('malformed', message('http.bodyBreaksOff'));
  }
}

/**
 * Returns the result of `read`, which reads a request's body. When the client disconnects before the end of its body,
 * the request ends as malformed, not as our failure. Without this, decompression would wait for the rest forever.
 * @throws ServiceError 1210 when the body breaks off
 */
export function unlessAborted<T>(request: IncomingMessage, read: () => Promise<T>): Promise<T> {
  if (isAborted(request)) return Promise.reject(abortedError());
  return new Promise((resolve, reject) => {
    request.once('close', () => {
      if (isAborted(request)) reject(abortedError());
    });
    read().then(resolve, (error: unknown) => reject(isAborted(request) ? abortedError() : error));
  });
}

/**
 * Tells whether a body can no longer be read because its client left. That may be so even when all of it had arrived:
 * what was not read is lost with the connection.
 */
export function isAborted({ destroyed, readableEnded }: IncomingMessage): boolean {
  return destroyed && !readableEnded;
}

export function abortedError(): ServiceError {
  return new BrokenOff();
}

/** The status with which a request is counted and logged. */
export function countedStatus({ status, state }: Context): number {
  return state.isAborted ? abortedStatus : status;
}

/**
 * Notes that a request ended because its client left. It then counts neither as a failure of the service nor as a
 * malformed body.
 */
export function noteAborted({ req, state }: Context, error: unknown): void {
  if (error instanceof BrokenOff && req.socket.destroyed) state.isAborted = true;
}
