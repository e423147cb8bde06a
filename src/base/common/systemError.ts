/**
 * Tells whether an error is the operating system's error with this code, such as ENOENT. It checks the shape of the
 * error, because the error may come from another JavaScript realm.
 */
export function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Returns the message of any thrown value. */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}
