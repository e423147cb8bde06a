import { ServiceError } from '../common/errors';

/** The 429 answer of a limit that is used up. @param resetMs until it may be tried again */
export function tooManyRequests(message: string, resetMs: number): ServiceError {
  return new ServiceError('rateLimited', message, { headers: { 'Retry-After': String(wholeSeconds(resetMs)) } });
}

/** Gives whole seconds, at least 1, after which that time is over. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
