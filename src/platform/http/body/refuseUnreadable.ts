import { malformed, ServiceError } from '#base/common/errors';

/**
 * Translates an error of reading a body into the error that the client gets. Such errors have an HTTP status as a
 * property.
 */
export function refuseUnreadable(error: unknown): never {
  if (error instanceof ServiceError) throw error;
  const status = propertyOf(error, 'status');
  if (status === 413) {
    // The rest of the body is not read, so the connection cannot be used again.
    const headers = { Connection: 'close' };
    throw new ServiceError('tooLarge', 'The body is too large', { headers });
  }
  if (status === 415) throw new ServiceError('unsupportedMediaType', 'The encoding of the body is not supported');
  if (status === 400 || isUnpackError(error)) {
    throw malformed('The body is not of the encoding or length that its headers say');
  }
  throw error;
}

/** Tells whether an error comes from decompression: gzip and deflate (`Z_…`) or Brotli (`ERR__ERROR_FORMAT_…`). */
function isUnpackError(error: unknown): boolean {
  return /^(?:Z|ERR__ERROR)_/.test(String(propertyOf(error, 'code')));
}

function propertyOf(error: unknown, name: 'status' | 'code'): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
