import createClient, { type Client } from 'openapi-fetch';
import { LoyaltyError } from './loyaltyError';
import type { LoyaltyPaths, WaitingPaths } from './loyaltyPaths';
import { type RetryOptions, repeating } from './retries';

/**
 * An API key of a server, a user, or tokens that the caller gets itself. A user is logged in at the first request, and
 * again when the token has ended.
 */
export type Credentials = { key: string } | { username: string; password: string } | TokenSource;

/** Gets tokens in its own way, as a web page does that asks a person. */
export interface TokenSource {
  /** The token for the next request. */
  present(): Promise<string>;
  /** Another token, after the service has refused the present one; the request is then sent again. */
  renewed(): Promise<string>;
}

export interface LoyaltyClientOptions {
  /** The address of the service without `/api/v1`, for example `https://loyalty.example.com`. */
  url: string;
  credentials: Credentials;
  retries?: RetryOptions;
  /** Sends requests; default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A client with a method for each HTTP method; paths, arguments, bodies and answers are typed. */
export type LoyaltyClient = Omit<Client<LoyaltyPaths>, 'POST'> & {
  POST: Client<WaitingPaths>['POST'] & Client<LoyaltyPaths>['POST'];
};

/** Makes a client of the service. Its requests are repeated when that is safe ({@link RetryOptions}). */
export function createLoyaltyClient({
  url,
  credentials,
  retries = {},
  ...options
}: LoyaltyClientOptions): LoyaltyClient {
  const send = repeating(options.fetch ?? fetch, retries);
  const token = 'renewed' in credentials ? credentials : tokens(url, credentials, send);
  const authorized = async (request: Request): Promise<Response> => {
    const answer = await send(withToken(request, await token.present()));
    if (answer.status !== 401 || 'key' in credentials) return answer;
    return send(withToken(request, await token.renewed()));
  };
  return createClient<LoyaltyPaths>({ baseUrl: url, fetch: authorized });
}

function withToken(request: Request, token: string): Request {
  const headers = new Headers(request.headers);
  headers.set('Authorization', `Bearer ${token}`);
  // A clone only follows the signal until it is collected as garbage.
  return new Request(request.clone(), { headers, signal: request.signal });
}

/** The token of a client. Requests that wait for one share a login. */
function tokens(
  url: string,
  credentials: Exclude<Credentials, TokenSource>,
  send: (request: Request) => Promise<Response>,
): TokenSource {
  let present: Promise<string> | undefined;
  const renewed = () => {
    const made = logIn(url, credentials, send);
    present = made;
    made.catch(() => {
      if (present === made) present = undefined;
    });
    return made;
  };
  return { present: () => present ?? renewed(), renewed };
}

async function logIn(
  url: string,
  credentials: Exclude<Credentials, TokenSource>,
  send: (request: Request) => Promise<Response>,
): Promise<string> {
  if ('key' in credentials) return credentials.key;
  const body = JSON.stringify(credentials);
  const headers = { 'Content-Type': 'application/json' };
  const answer = await send(new Request(`${url}/api/v1/login`, { method: 'POST', headers, body }));
  const read: unknown = await answer.json();
  if (!answer.ok) throw new LoyaltyError(answer, read);
  return (read as { token: string }).token;
}
