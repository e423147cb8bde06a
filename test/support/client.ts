import { contractAt } from './contract';

/** Options of a request besides its path. */
export interface RequestOptions {
  headers?: Record<string, string>;
  /** The body; it is sent as JSON. */
  body?: unknown;
  /** The body, sent without any conversion. Then `body` is ignored. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** An answer with its body: parsed JSON, or text when it is not JSON, or undefined when it is empty. */
export interface Response {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** Sends requests of one user. Every method but `send` puts `/api/v1` before the path. */
export interface Client {
  get(path: string, options?: RequestOptions): Promise<Response>;
  delete(path: string, options?: RequestOptions): Promise<Response>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Response>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Response>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Response>;
  /** Sends any method to any path, without adding `/api/v1`. */
  send(method: string, path: string, options?: RequestOptions): Promise<Response>;
}

/**
 * Makes a client of the API at this URL, with or without a token. The client checks every answer against the OpenAPI
 * document of the service. A test fails when a status is not documented or a body does not match its schema.
 */
export function client(baseUrl: string, token?: string): Client {
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    request(baseUrl, method, path, token, options);
  const api = (method: string) => (path: string, options?: RequestOptions) => send(method, `/api/v1${path}`, options);
  const apiWithBody = (method: string) => (path: string, body?: unknown, options?: RequestOptions) =>
    send(method, `/api/v1${path}`, { body, ...options });
  return {
    get: api('GET'),
    delete: api('DELETE'),
    post: apiWithBody('POST'),
    put: apiWithBody('PUT'),
    patch: apiWithBody('PATCH'),
    send,
  };
}

async function request(
  baseUrl: string,
  method: string,
  path: string,
  token: string | undefined,
  { headers = {}, body, raw }: RequestOptions,
): Promise<Response> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const contract = await contractAt(baseUrl);
  const url = new URL(`${baseUrl}${path}`);
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    redirect: 'manual',
  });
  const answer = { status: response.status, headers: response.headers, body: await bodyOf(response) };
  contract.check({ ...answer, method, url, contentType: response.headers.get('content-type') });
  return answer;
}

async function bodyOf(response: globalThis.Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}
