import { randomFillSync } from 'node:crypto';

/** Crockford's base 32: digits and letters without I, L, O and U, so that people can read codes aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes an unguessable code of groups of four characters, for example `7K3M-9QTX-0BWE-5ZDA`. A group has 20 random
 * bits.
 */
export function randomCode(groups: number): string {
  return Array.from({ length: groups }, () => group()).join('-');
}

function group(): string {
  return Array.from({ length: 4 }, () => alphabet.charAt(randomByte() % alphabet.length)).join('');
}

/** Random bytes, each used once. Asking for each few costs many times as much. */
const bytes = Buffer.alloc(1024);
let used = bytes.length;

function randomByte(): number {
  if (used === bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  return bytes.readUInt8(used++);
}
