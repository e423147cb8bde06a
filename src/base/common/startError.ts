/**
 * A reason why the service cannot start, for the person who starts it. The message has one line, or one line for each
 * cause. No stack is needed.
 */
export class StartError extends Error {
  override name = 'StartError';
}
