import type { IncomingMessage } from 'node:http';

const unhurried = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request take longer than `serveLimits.requestMs`. Whoever reads it then ends it when too little
 * arrives in a time.
 */
export function letTakeItsTime(request: IncomingMessage): void {
  unhurried.add(request);
}

/** Tells whether the body of a request may take longer than others. */
export function mayTakeItsTime(request: IncomingMessage): boolean {
  return unhurried.has(request);
}
