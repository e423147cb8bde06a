import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/**
 * Translates an error of reading a body into the error that the client gets. Such errors have an HTTP status as a
 * property.
 */
export function refuseUnreadable(error: unknown): never {
  if (error instanceof ServiceError) throw error;
  const status = readProperty(error, 'status');
  if (status === 413) {
    // The rest of the body is not read, so the connection cannot be used again.
    const headers = { Connection: 'close' };
    throw new ServiceError('tooLarge', message('http.bodyTooLarge'), { headers });
  }
  if (status === 415) throw new ServiceError('unsupportedMediaType', message('http.bodyEncoding'));
  if (status === 400 || isUnpackError(error)) {
    throw malformed(message('http.bodyLength'));
  }
  throw error;
}

/** Tells whether an error comes from decompression: gzip and deflate (`Z_…`) or Brotli (`ERR__ERROR_FORMAT_…`). */
function isUnpackError(error: unknown): boolean {
  return /^(?:Z|ERR__ERROR)_/.test(String(readProperty(error, 'code')));
}

function readProperty(error: unknown, name: 'status' | 'code'): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
