import { spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import jwt from 'jsonwebtoken';

/** Where the service expects browsers. The tests send them on to the port that it has. */
export const redirectUri = 'http://127.0.0.1:3999/api/v1/login/oidc/callback';

/** The settings of a service that uses a provider. */
export function oidcConfig(issuer: string, returnTo = redirectUri) {
  const roleMap = new Map([
    ['managers', ['program-manager']],
    ['tills', ['client']],
    ['bosses', ['admin', 'client']],
  ]);
  const client = { clientId: 'loyalty', clientSecret: 'a secret of the tests' };
  return { issuer, ...client, redirectUri: returnTo, rolesClaim: 'roles', roleMap, scopes: 'openid profile email' };
}

/**
 * Starts a real provider in a process of its own (providerProcess.mjs). It tells roles at the userinfo endpoint.
 * @param returnTo where it sends browsers back to
 */
export async function startProvider(returnTo = redirectUri): Promise<{ issuer: string; stop(): Promise<void> }> {
  const args = [path.join(__dirname, 'providerProcess.mjs'), returnTo];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [chunk] = await once(child.stdout, 'data');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { issuer: String(chunk).trim(), stop };
}

/** What a forged token is made of. */
export interface Forged {
  claims?: Record<string, unknown>;
  options?: jwt.SignOptions;
  /** Signs instead of the provider's own key. */
  key?: KeyObject | string;
  /** Answers this status instead of a token. */
  status?: number;
}

/** A provider of our own, which answers whatever a test tells it to. It shows what the service refuses. */
export async function openForger() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let forged: Forged = {};
  let nonce = '';
  const server = createServer((request, response) => {
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') return json(metadata());
    if (request.url === '/jwks') {
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'own' }] });
    }
    if (forged.status) return json({ error: 'server_error' }, forged.status);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer(), aud: 'loyalty', sub: 'eve', nonce, roles: ['bosses'], iat: now, exp: now + 60 };
    const payload = Object.fromEntries(
      Object.entries({ ...claims, ...forged.claims }).filter(([, value]) => value !== undefined),
    );
    const options: jwt.SignOptions = { algorithm: 'RS256', keyid: 'own', ...forged.options };
    const id = jwt.sign(payload, forged.key ?? privateKey, options);
    return json({ access_token: 'x', token_type: 'Bearer', id_token: id });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = () => ({
    issuer: issuer(),
    authorization_endpoint: `${issuer()}/auth`,
    token_endpoint: `${issuer()}/token`,
    jwks_uri: `${issuer()}/jwks`,
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  });
  return {
    issuer: issuer(),
    /** Answers so from now on; `asked` is the address to which the service sent the browser. */
    forge(requested: string, next: Forged) {
      nonce = new URL(requested).searchParams.get('nonce') ?? '';
      forged = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
