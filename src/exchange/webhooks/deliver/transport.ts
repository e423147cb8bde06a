import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../guard/isPublicAddress';
import { createResolveHost, type GuardOptions, RefusedAddress, type ResolveHost } from '../guard/resolveHost';
import { bareHost, urlFault } from '../guard/urlFault';
import { readAnswer } from './readAnswer';

/** What is said of errors for which their code alone is no explanation. */
const explained: Readonly<Record<string, string>> = {
  RefusedAddress: 'the receiver is not in the public internet',
  TimeoutError: 'no answer in time',
  ECONNREFUSED: 'the receiver refused the connection',
  ECONNRESET: 'the receiver closed the connection',
  ENOTFOUND: 'the name has no address',
  ENODATA: 'the name has no address',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
};

/** Most characters of a code that is shown. */
const codeMax = 100;

/**
 * Says in words for the log of deliveries why there was no answer. The messages of errors are not shown, because they
 * have addresses.
 * @param signal ended the attempt, if it did
 */
function errorText(error: unknown, signal?: AbortSignal): string {
  const cause = signal?.aborted ? signal.reason : error;
  if (!(cause instanceof Error)) return 'unknown';
  if (cause.name === 'AbortError') return 'the worker ended';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  const words = explained[cause.name] ?? explained[code];
  return words ?? code.slice(0, codeMax);
}

/**
 * Limits of one attempt. `attemptMs`: from the resolution of the name to the status of the answer. `answerMs`: from
 * there for the beginning of its body, which does not decide anything. `headersMaxBytes`: all headers of the answer.
 * `idleMs`: how long an unused connection stays open.
 */
export const transportLimits = { attemptMs: 10_000, answerMs: 1000, headersMaxBytes: 16_384, idleMs: 4000 } as const;

/** A message to post. */
export interface Message {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The outcome of posting a message: the status and the beginning of the answer, or why there is none. */
export interface Outcome {
  status?: number;
  answer?: string;
  error?: string;
}

/** An outcome, and the header `Retry-After` of the answer. */
export type PostOutcome = Outcome & { retryAfter?: string };

/** Posts messages to receivers. */
export interface Transport {
  /** Posts a message. It never throws. An abort ends it with an error. */
  post(message: Message, signal?: AbortSignal): Promise<PostOutcome>;
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
  const once = async (message: Message, signal: AbortSignal): Promise<PostOutcome> => {
    const answer = await send(message, { agents, lookup, isPrivateAllowed, signal });
    const status = answer.statusCode ?? 0;
    const { 'retry-after': retryAfter } = answer.headers;
    const read = await readAnswer(answer, transportLimits.answerMs);
    return { status, ...read, ...(retryAfter === undefined ? {} : { retryAfter }) };
  };
  return {
    async post(message, ending) {
      const fault = urlFault(message.url, isPrivateAllowed);
      if (fault !== undefined) return { error: `the URL ${fault.message}` };
      const signals = [AbortSignal.timeout(attemptMs), ...(ending ? [ending] : [])];
      const signal = AbortSignal.any(signals);
      try {
        return await once(message, signal).catch((error: unknown) => {
          if (error instanceof StaleConnection) return once(message, signal);
          throw error;
        });
      } catch (error) {
        return { error: errorText(error, signal) };
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
function send({ url: text, headers, body }: Message, sending: Sending): Promise<http.IncomingMessage> {
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
