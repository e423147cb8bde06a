import { ServiceError } from '#base/common/errors';

/** Returns the message of the 400 that `parse` throws, and fails for any other outcome. */
export function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 1210 && error.status === 400) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}
