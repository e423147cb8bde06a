import { ServiceError } from '#base/common/errors';
import type { Message } from '#base/common/messages/message';

/** Makes the 429 answer of an exceeded limit. @param resetMs milliseconds until the client may try again */
export function tooManyRequests(message: Message, resetMs: number): ServiceError {
  return new ServiceError('rateLimited', message, { headers: { 'Retry-After': String(wholeSeconds(resetMs)) } });
}

/** Rounds milliseconds up to whole seconds, at least 1. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
