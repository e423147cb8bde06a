import { mongo } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import type { OutsideFailure } from '#base/common/limitOutageLines';
import { errorMessage } from '#base/common/systemError';
import { isTemporary } from './isTemporary';

const unavailableStore = { of: 'a store', cause: 'unavailable' } as const;

/** Network errors of the operating system. The driver of MongoDB wraps its own, so a bare one is of a connection to Redis. */
const networkCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'ENETDOWN',
]);

/** What the client of Redis says when it has no connection. It has no classes for these. */
const redisTexts = [
  'Connection is closed',
  'Command timed out',
  'Socket timeout',
  "Stream isn't writeable",
  'Unhandled error',
  'None of startup nodes',
];

/** Answers of a Redis that does not serve now: it starts, it copies, it is busy or read-only. */
const passingReplies = /^(?:LOADING|BUSY|MASTERDOWN|READONLY|TRYAGAIN|CLUSTERDOWN|UNBLOCKED)\b/;

/**
 * Tells of which store an error is, when it comes from the present state of the store: by class and code, because messages
 * of drivers contain addresses. Undefined: another error.
 */
export function classifyStoreFailure(error: unknown): OutsideFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // A request that ran out of time while it waited for a store.
  if (error instanceof ServiceError) return error.reason === 'unavailable' ? unavailableStore : undefined;
  if (isTemporary(error)) return { of: 'MongoDB', cause: failureCause(error) };
  return isOfRedis(error) ? { of: 'Redis', cause: failureCause(error) } : undefined;
}

/** Tells whether an error says that Redis does not serve now. */
export function isOfRedis(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof mongo.MongoError) return false;
  if ('code' in error && networkCodes.has(error.code)) return true;
  if (error.name === 'ReplyError') return passingReplies.test(error.message);
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'AbortError') return true;
  return redisTexts.some((text) => errorMessage(error).startsWith(text));
}

function failureCause(error: Error): string {
  const { name } = error;
  return 'code' in error && error.code !== undefined ? `${name} ${String(error.code)}` : name;
}
