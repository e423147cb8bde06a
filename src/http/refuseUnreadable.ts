import { malformed, ServiceError } from '../common/errors';

/** Translates what reading throws; errors are marked with the status they mean. */
export function refuseUnreadable(error: unknown): never {
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

/** Tells errors of gzip and deflate (`Z_…`) and of Brotli (`ERR__ERROR_FORMAT_…`) from others. */
function isUnpackError(error: unknown): boolean {
  return /^(?:Z|ERR__ERROR)_/.test(String(propertyOf(error, 'code')));
}

function propertyOf(error: unknown, name: 'status' | 'code'): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
