import { createHash, randomUUID } from 'node:crypto';
import { malformed } from '../../common/errors';
import { idempotencyKeyDays } from '../../records/activities/submission';
import type { RequestKey } from '../state/work';

const dayMs = 86_400_000;
/** Most characters of a key. */
export const keyMax = 255;

/** What names a request: its body as sent, its route, and its headers. */
export interface KeyedRequest {
  route: string;
  body: unknown;
  externalTxnId: string | undefined;
  headers: Record<string, string | undefined>;
  now: Date;
}

/**
 * The idempotency key of a request: its externalTxnId, else the header Idempotency-Key, else none.
 * @throws ServiceError 1210 when the header is empty or longer than 255 characters
 */
export function requestKey({ route, body, externalTxnId, headers, now }: KeyedRequest): RequestKey | undefined {
  const hash = () => requestHash(route, body);
  if (externalTxnId !== undefined) return { key: externalTxnId, hash: hash() };
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (header === '' || header.length > keyMax) throw malformed(`Idempotency-Key must have 1 to ${keyMax} characters`);
  return { key: header, hash: hash(), expiresAt: new Date(now.getTime() + idempotencyKeyDays * dayMs) };
}

/** The key of an asynchronous request; one is made when the client sent none. */
export function requestKeyOrNew(request: KeyedRequest): RequestKey {
  return requestKey(request) ?? { key: randomUUID(), hash: requestHash(request.route, request.body) };
}

/**
 * SHA-256 of a request: the parsed body as sent with keys sorted at every level, and the route. Two posts of one key
 * are the same when their hashes are equal (docs/design/activities.md). The body is at most 32 levels deep.
 */
function requestHash(route: string, body: unknown): string {
  return createHash('sha256').update(route).update('\n').update(canonical(body)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`).join(',')}}`;
}
