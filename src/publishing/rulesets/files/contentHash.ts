import { createHash } from 'node:crypto';

/** SHA-256 of a JSON value, in hexadecimal. The same content has the same hash on every machine. */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
