import { isUtf8 } from 'node:buffer';
import { dayMs } from '#base/common/durations';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { findableFault } from '#base/schema/findable';
import { hasControlCharacters } from '#base/schema/textFaults';

/** Most characters of a key. */
export const keyMax = 255;

/** When a key expires that is sent in a header now: after `RETAIN_KEYS` days. */
export function keyKeptUntil(now: Date, { RETAIN_KEYS }: { RETAIN_KEYS: number }): Date {
  return new Date(now.getTime() + RETAIN_KEYS * dayMs);
}

/**
 * The key in the header `Idempotency-Key` of a request; undefined without the header.
 * @throws ServiceError 1210 when it is empty, longer than {@link keyMax}, has white space at an end or
 *   invisible characters, or is the service's own
 */
export function sentKey({ 'idempotency-key': key }: Record<string, string | undefined>): string | undefined {
  if (key === undefined) return undefined;
  if (key === '' || key.length > keyMax) throw malformed(message('http.keyLength', { max: keyMax }));
  if (hasControlCharacters(key)) throw malformed(message('http.keyControlCharacters'));
  const fault = findableFault(asSent(key), 'identifier');
  if (fault) throw malformed(message('http.keyFault', { fault }));
  if (key.startsWith(ownKeyPrefix)) throw malformed(message('http.keyPrefix', { prefix: ownKeyPrefix }));
  return key;
}

/** Decodes a header as UTF-8, which most clients send. Node gives headers as Latin-1, one character for each byte. */
function asSent(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}
