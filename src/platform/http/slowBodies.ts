import type { IncomingMessage } from 'node:http';

const slowBodies = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request take longer than `serveLimits.requestMs`. Whoever reads it then ends it when too little
 * arrives in a time.
 */
export function allowSlowBody(request: IncomingMessage): void {
  slowBodies.add(request);
}

/** Tells whether the body of a request may take longer than others. */
export function mayBeSlow(request: IncomingMessage): boolean {
  return slowBodies.has(request);
}
