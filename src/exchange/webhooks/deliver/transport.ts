import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { failure } from '#base/common/failure';
import { message } from '#base/common/messages/message';
import { isPublicAddress } from '../guard/isPublicAddress';
import { createResolveHost, type GuardOptions, RefusedAddress, type ResolveHost } from '../guard/resolveHost';
import { bareHost, urlFault } from '../guard/urlFault';
import { deliveryFault } from './deliveryFault';
import { type ReadAnswer, readAnswer } from './readAnswer';

/**
 * Limits of one attempt. `attemptMs`: from the resolution of the name to the status of the answer. `answerMs`: from
 * there for the beginning of its body, which does not decide anything. `headersMaxBytes`: all headers of the answer.
 * `idleMs`: how long an unused connection stays open.
 */
export const transportLimits = { attemptMs: 10_000, answerMs: 1000, headersMaxBytes: 16_384, idleMs: 4000 } as const;

/** A request to a receiver. */
export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * The outcome of a post: the status and the beginning of the answer, with its header `Retry-After`; and why there is no
 * answer, or not all of it.
 */
export interface PostOutcome extends ReadAnswer {
  status?: number;
  retryAfter?: string;
}

/** Posts to receivers. */
export interface Transport {
  /** It never throws. An abort ends it with an error. */
  post(request: PostRequest, signal?: AbortSignal): Promise<PostOutcome>;
  close(): void;
}

/** The options of the guard, and for tests another limit of time. */
export interface TransportOptions extends GuardOptions {
  attemptMs?: number;
}

/**
 * Opens the connections to receivers. Each attempt checks the URL. Each connection goes to an address that was checked
 * after the name was resolved, and the address at its other end is checked again. Redirects are answers like others.
 */
export function createTransport(options: TransportOptions): Transport {
  const { isPrivateAllowed, attemptMs = transportLimits.attemptMs } = options;
  const lookup = pinned(createResolveHost(options));
  const agentOptions = { keepAlive: true, timeout: transportLimits.idleMs, scheduling: 'lifo' } as const;
  const agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) };
  const once = async (request: PostRequest, signal: AbortSignal): Promise<PostOutcome> => {
    const answer = await send(request, { agents, lookup, isPrivateAllowed, signal });
    const status = answer.statusCode ?? 0;
    const { 'retry-after': retryAfter } = answer.headers;
    const read = await readAnswer(answer, transportLimits.answerMs);
    return { status, ...read, ...(retryAfter === undefined ? {} : { retryAfter }) };
  };
  return {
    async post(request, ending) {
      const fault = urlFault(request.url, isPrivateAllowed);
      if (fault !== undefined) return failure(message('webhooks.urlFault', { fault }));
      const signals = [AbortSignal.timeout(attemptMs), ...(ending ? [ending] : [])];
      const signal = AbortSignal.any(signals);
      try {
        return await once(request, signal).catch((error: unknown) => {
          if (error instanceof StaleConnection) return once(request, signal);
          throw error;
        });
      } catch (error) {
        return failure(deliveryFault(error, signal));
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The receiver had closed a connection that was kept open, so nobody read the message. */
class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

interface Sending {
  agents: Record<'http:' | 'https:', http.Agent>;
  lookup: LookupFunction;
  isPrivateAllowed: boolean;
  signal: AbortSignal;
}

/** Resolves with the head of the answer. */
function send({ url: text, headers, body }: PostRequest, sending: Sending): Promise<http.IncomingMessage> {
  const { agents, lookup, isPrivateAllowed, signal } = sending;
  const url = new URL(text);
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: agents[isSecure ? 'https:' : 'http:'],
      lookup,
      signal,
      maxHeaderSize: transportLimits.headersMaxBytes,
    });
    request.on('socket', (socket) => {
      const check = () => {
        const isAllowed = isPrivateAllowed || isPublicAddress(socket.remoteAddress ?? bareHost(url));
        if (!isAllowed) request.destroy(new RefusedAddress());
      };
      if (socket.connecting) socket.once('connect', check);
      else check();
    });
    request.on('response', resolve);
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
    );
    request.end(body);
  });
}

/** A look-up that hands a new connection only addresses that were checked. */
function pinned(resolve: ResolveHost): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
