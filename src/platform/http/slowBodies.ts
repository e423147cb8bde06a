import type { IncomingMessage } from 'node:http';

const slowBodies = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request take longer than `serveLimits.requestMs`. The reader of the body must then end the request
 * when too little arrives.
 */
export function allowSlowBody(request: IncomingMessage): void {
  slowBodies.add(request);
}

/** Tells whether the body of a request may take longer than others. */
export function mayBeSlow(request: IncomingMessage): boolean {
  return slowBodies.has(request);
}
