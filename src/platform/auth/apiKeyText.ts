import { hash, randomInt } from 'node:crypto';
import { ObjectId } from 'bson';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 33 of 62 digits: 196 bits. */
const secretChars = 33;
const checkChars = 6;

const form = new RegExp(`^lk_([0-9a-f]{24})_[0-9A-Za-z]{${secretChars + checkChars}}$`);

/** The prefix of every key. */
export const apiKeyMark = 'lk_';

/** The claims of an API key: its id, and the hash that its record must have. */
export interface ApiKeyClaims {
  keyId: ObjectId;
  /** SHA-256 of the whole text, base64url. */
  hash: string;
}

/** Makes a new text for the key of this id: `lk_<id>_<secret><checksum>`. Only its hash may be stored. */
export function makeApiKeyText(id: ObjectId): { text: string; hash: string } {
  const secret = Array.from({ length: secretChars }, () => digits.charAt(randomInt(digits.length))).join('');
  const start = `${apiKeyPrefix(id)}_${secret}`;
  const text = start + apiKeyChecksum(start);
  return { text, hash: hashKeyText(text) };
}

/** Returns how the text of a key begins. It is no secret. */
export function apiKeyPrefix(id: ObjectId): string {
  return `${apiKeyMark}${id.toHexString()}`;
}

/** Reads the text of an API key; undefined when it is malformed or its checksum is wrong, as after a typing error. */
export function readApiKeyText(text: string): ApiKeyClaims | undefined {
  const [, id] = form.exec(text) ?? [];
  if (id === undefined || apiKeyChecksum(text.slice(0, -checkChars)) !== text.slice(-checkChars)) return undefined;
  return { keyId: ObjectId.createFromHexString(id), hash: hashKeyText(text) };
}

function hashKeyText(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** 32 bits of a hash as 6 digits. A wrong or missing character is refused without a read. */
function apiKeyChecksum(start: string): string {
  let left = Number.parseInt(hash('sha256', start, 'hex').slice(0, 8), 16);
  let checksum = '';
  for (let n = 0; n < checkChars; n += 1) {
    checksum = digits.charAt(left % digits.length) + checksum;
    left = Math.floor(left / digits.length);
  }
  return checksum;
}
