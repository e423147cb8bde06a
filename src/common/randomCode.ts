import { randomBytes } from 'node:crypto';

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
  return [...randomBytes(4)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
}
