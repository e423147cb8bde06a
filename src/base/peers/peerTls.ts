import { hkdfSync, type KeyObject } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { peerLimits } from './peerLimits';

const identity = 'loyalty-peer';

/** TLS 1.3 with a pre-shared key and no certificates: each side proves to the other that it has the key. */
const version = { minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const;

/** The key of connections between processes of one installation, derived from the key of its tokens. */
export function peerKeyOf(tokenKey: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenKey, '', 'connections between processes, version 1', 32));
}

/** Options of the side that listens. */
export function serverTls(key: Buffer): TlsOptions {
  return {
    ...version,
    handshakeTimeout: peerLimits.connectMaxMs,
    pskCallback: (_socket, offered) => (offered === identity ? key : null),
  };
}

/** Options of the side that connects. It accepts nobody who shows a certificate in place of the key. */
export function clientTls(key: Buffer): ConnectionOptions {
  return {
    ...version,
    pskCallback: () => ({ psk: key, identity }),
    checkServerIdentity: (_host, shown) => (Object.keys(shown).length === 0 ? undefined : new Error('a certificate')),
  };
}
