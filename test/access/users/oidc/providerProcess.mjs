import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/**
 * A real OpenID provider for tests. It prints its address. Who signs in is named as `<subject>:<role>,<role>`, by the
 * argument `login_hint` or in the field of its page. Its clients return to the first argument.
 */
const [redirectUri] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const rolesOf = new Map();
const provider = new Provider(issuer, {
  clients: [
    { client_id: 'loyalty', client_secret: 'a secret of the tests', redirect_uris: [redirectUri] },
    { client_id: 'another', client_secret: 'another secret of the tests', redirect_uris: [redirectUri] },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'tests' }] },
  cookies: { keys: ['a key of the tests'] },
  pkce: { required: () => true },
  claims: { openid: ['sub', 'iss'], profile: ['preferred_username', 'roles'], email: ['email'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, preferred_username: sub, email: `${sub}@example.com`, roles: rolesOf.get(sub) ?? [] }),
  }),
  async loadExistingGrant(ctx) {
    const { client, session } = ctx.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
const callback = provider.callback();

const page = '<title>Provider</title><form><label>Account <input name="account"></label><button>Go on</button></form>';

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, issuer);
  if (!pathname.startsWith('/interaction/')) return callback(request, response);
  const { params } = await provider.interactionDetails(request, response);
  const account = params.login_hint ?? searchParams.get('account');
  if (account === null) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  const [accountId, roles = ''] = account.split(':');
  rolesOf.set(accountId, roles.split(',').filter(Boolean));
  return provider.interactionFinished(request, response, { login: { accountId } }, { mergeWithLastSubmission: false });
}

process.stdout.write(`${issuer}\n`);
