import { createHash } from 'node:crypto';

/**
 * SHA-256 of a request: the parsed body as sent with keys sorted at every level, and the route. Two posts of one key
 * are the same when their hashes are equal (DESIGN 7). The body is at most 32 levels deep.
 */
export function requestHash(route: string, body: unknown): string {
  return createHash('sha256').update(route).update('\n').update(canonical(body)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`).join(',')}}`;
}
