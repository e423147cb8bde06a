import http from 'node:http';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { type Contract, readContract } from './contract';

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
  /** The method and the path that were asked, for tests that fail; not enumerable, so that answers compare equal. */
  request?: string;
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
  return clientsOf(baseUrl)(token);
}

/** Makes clients of one server, which read its document once. A later server may have the same port, and other routes. */
export function clientsOf(baseUrl: string): (token?: string) => Client {
  let contract: Promise<Contract> | undefined;
  const read = () => {
    contract ??= readContract(baseUrl).catch((error: unknown) => {
      contract = undefined;
      throw error;
    });
    return contract;
  };
  return (token) => clientOf(baseUrl, read, token);
}

function clientOf(baseUrl: string, read: () => Promise<Contract>, token: string | undefined): Client {
  const send = async (method: string, path: string, options: RequestOptions = {}) =>
    request(baseUrl, await read(), method, path, token, options);
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

/** Connections that wait for the next request do not keep the process from ending. */
const agent = new http.Agent({ keepAlive: true });

async function request(
  baseUrl: string,
  contract: Contract,
  method: string,
  path: string,
  token: string | undefined,
  { headers = {}, body, raw }: RequestOptions,
): Promise<Response> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const url = new URL(`${baseUrl}${path}`);
  const sent = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(content === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(content)}` }),
    ...headers,
  };
  const answer = await exchange(url, { method, headers: sent, agent }, content);
  contract.check({ ...answer, method, url, contentType: answer.headers.get('content-type') });
  return Object.defineProperty(answer, 'request', { value: `${method} ${path}` });
}

/** Sends a request and reads its answer. `fetch` would take twice the processor time. */
async function exchange(url: URL, options: http.RequestOptions, sent?: string | Uint8Array): Promise<Response> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(url, options, resolve).on('error', reject).end(sent);
  });
  const headers = new Headers(Object.entries(response.headersDistinct).flatMap(pairs));
  const isPacked = headers.get('content-encoding') === 'gzip';
  const content = await text(isPacked ? pipeline(response, createGunzip(), () => undefined) : response);
  return { status: response.statusCode ?? 0, headers, body: parsed(content, headers) };
}

function pairs([name, values = []]: [string, string[] | undefined]): [string, string][] {
  return values.map((value) => [name, value]);
}

function parsed(content: string, headers: Headers): unknown {
  if (content === '') return undefined;
  return headers.get('content-type')?.startsWith('application/json') ? JSON.parse(content) : content;
}
