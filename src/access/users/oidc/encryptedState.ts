import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { record } from '#base/schema/atoms';
import { compileCheck } from '#base/schema/parse';

/** What a sign-in at the provider has to be compared with when the browser comes back. */
export interface Flow {
  state: string;
  nonce: string;
  /** The verifier of PKCE. */
  verifier: string;
  returnTo: string;
  /** When the flow ends, in milliseconds since 1970. */
  endsAt: number;
}

const text = Type.String({ minLength: 1, maxLength: 600 });
const faultsOf = compileCheck(
  record({ state: text, nonce: text, verifier: text, returnTo: text, endsAt: Type.Integer() }),
);

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

/**
 * Encrypts a flow for the cookie of the browser that began it. So only this browser can end it, no other process has to
 * know it, and who begins flows stores nothing here.
 */
export function encryptState(tokenKey: KeyObject, flow: Flow): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyFrom(tokenKey), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(flow), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts a flow; undefined when this service did not make it, or it has ended. */
export function decryptState(tokenKey: KeyObject, sealed: string, now: Date): Flow | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const flow = decrypted(tokenKey, bytes);
  return isFlow(flow) && now.getTime() < flow.endsAt ? flow : undefined;
}

function decrypted(tokenKey: KeyObject, bytes: Buffer): unknown {
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(tokenKey), bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(plain.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isFlow(value: unknown): value is Flow {
  return faultsOf(value).length === 0;
}

/** A key of its own, so that a cookie can never pass for a token. */
function keyFrom(tokenKey: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenKey, '', 'oidc flow', 32));
}
