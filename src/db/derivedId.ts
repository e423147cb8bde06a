import { hash } from 'node:crypto';
import { ObjectId } from 'bson';

/**
 * The ObjectId that stands for these parts: the same parts always give the same id, so writing a thing twice meets the
 * unique `_id` instead of doubling it. First 96 bits of SHA-256 over the parts, separated unambiguously.
 */
export function derivedId(...parts: (string | number | ObjectId)[]): ObjectId {
  let joined = '';
  for (const part of parts) {
    const text = typeof part === 'string' ? part : part.toString();
    joined += `${text.length}:${text}|`;
  }
  return ObjectId.createFromHexString(hash('sha256', joined, 'hex').slice(0, 24));
}
