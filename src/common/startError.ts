/** A reason why the service cannot start, written for the person who starts it: one line (or one line a cause), no stack needed. */
export class StartError extends Error {
  override name = 'StartError';
}
