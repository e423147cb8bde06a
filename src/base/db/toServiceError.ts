import { MongooseError, mongo } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isTemporary } from './isTemporary';

/**
 * Translates any error into the error that a client gets. It recognises errors by class, code or label, never by
 * message.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isTemporary(error)) {
    return new ServiceError('unavailable', message('http.storeAway'), {
      headers: { 'Retry-After': '1' },
    });
  }
  if (error instanceof mongo.MongoError || error instanceof MongooseError) {
    const short = mongoErrorName(error);
    const code = 'code' in error && isCode(error.code) ? { code: error.code } : {};
    return new ServiceError('database', message('http.databaseError', { name: short }), {
      error: { name: error.name, ...code },
    });
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new ServiceError('database', message('http.unexpected'), { error: { name } });
}

function mongoErrorName(error: Error): string {
  return 'codeName' in error && typeof error.codeName === 'string' ? error.codeName : error.name;
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'string' || typeof code === 'number';
}
