import { currentSession } from './session';

interface Waiting {
  promise: Promise<string>;
  resolve(token: string): void;
  reject(error: Error): void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

/** The user did not want to sign in again. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
  readonly status = 401;
}

/**
 * Asks the user to sign in again, in a dialog over what is open, and returns the new token. Requests that wait for it
 * are sent again then, so nothing that was typed is lost.
 * @throws SignedOut when the user leaves
 */
export function signInAgain(): Promise<string> {
  if (!currentSession()) return Promise.reject(new SignedOut('Nobody is signed in'));
  if (!waiting) {
    waiting = withResolvers();
    tell();
  }
  return waiting.promise;
}

/** Lets the waiting requests continue with a token, or fail without one. */
export function endWaiting(token: string | undefined): void {
  const ended = waiting;
  waiting = undefined;
  tell();
  if (token === undefined) ended?.reject(new SignedOut('Signed out'));
  else ended?.resolve(token);
}

/** Tells whether requests wait for the user to sign in again. */
export function isWaiting(): boolean {
  return waiting !== undefined;
}

/** Calls a listener whenever {@link isWaiting} changes; returns what stops that. */
export function onWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

function withResolvers(): Waiting {
  let resolve: Waiting['resolve'] = () => undefined;
  let reject: Waiting['reject'] = () => undefined;
  const promise = new Promise<string>((onToken, onError) => {
    resolve = onToken;
    reject = onError;
  });
  return { promise, resolve, reject };
}
