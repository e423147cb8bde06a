import { MongooseError, mongo } from 'mongoose';
import type { Logger } from 'pino';
import { errorCodes, ServiceError } from '../common/errors';
import { isPassing } from '../db/isPassing';
import type { Context, Next } from './state';

/** Makes the one middleware that turns errors into answers (SPEC "Error object"); it never answers a stack. */
export function answerErrors(log: Logger): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const answer = toServiceError(error);
      if (answer.status >= 500) logFailure(log, ctx, error, answer);
      ctx.status = answer.status;
      for (const [name, value] of Object.entries(answer.details.headers ?? {})) ctx.set(name, value);
      ctx.body = errorBody(answer, ctx.state.requestId);
    }
  };
}

/** Gives the error object of an answer. */
export function errorBody({ code, message, status, details }: ServiceError, requestId: string) {
  const { errors, error, mergedInto } = details;
  return {
    ...{ code, message, status, requestId },
    ...(errors ? { errors } : {}),
    ...(error ? { error } : {}),
    ...(mergedInto === undefined ? {} : { mergedInto }),
  };
}

/** Translates any error into what a client is told; recognised by class, code or label, never by message. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isPassing(error)) {
    return new ServiceError('unavailable', 'A backing service does not answer; retry later', {
      headers: { 'Retry-After': '1' },
    });
  }
  if (error instanceof mongo.MongoError || error instanceof MongooseError) {
    const short = nameOf(error);
    const code = 'code' in error && isCode(error.code) ? { code: error.code } : {};
    return new ServiceError('database', `Database Error: ${short}`, { error: { name: error.name, ...code } });
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new ServiceError('database', 'Database Error: unexpected condition', { error: { name } });
}

function nameOf(error: Error): string {
  return 'codeName' in error && typeof error.codeName === 'string' ? error.codeName : error.name;
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'string' || typeof code === 'number';
}

/** Database errors quote what was stored or asked, so of those only name, code and place are logged. */
function logFailure(log: Logger, ctx: Context, error: unknown, { status, details }: ServiceError): void {
  const { requestId, route } = ctx.state;
  const isExpected = error instanceof ServiceError || status === errorCodes.unavailable.status;
  const line = {
    requestId,
    route: route?.path,
    status,
    error: details.error ?? { name: error instanceof Error ? error.name : 'unknown' },
  };
  if (isExpected) log.warn(line, 'request refused');
  else log.error({ ...line, at: framesOf(error), ...ownMessage(error) }, 'request failed');
}

function ownMessage(error: unknown): { message?: string } {
  if (!(error instanceof Error) || error instanceof mongo.MongoError || error instanceof MongooseError) return {};
  return { message: error.message };
}

function framesOf(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
