import { attempt, type Fetch } from './attempt';
import { sentOnce } from './sentOnce';

/** How a client repeats requests. */
export interface RetryOptions {
  /** The most attempts for a request, the first one included. Default 5. */
  attemptsMax?: number;
  /** Milliseconds before the second attempt; each further pause is twice as long, up to 30 s. Default 250. */
  pauseMs?: number;
  /** Milliseconds after which an attempt is given up whose answer has not begun. Default 30,000. */
  timeoutMs?: number;
}

/** 409: the first request with this key is in flight. 429, 503: the service asks to come back. 502, 504: a proxy does. */
const passing = new Set([409, 429, 502, 503, 504]);

/** The code of a 409 that passes. */
const inFlight = 1270;

const pauseMaxMs = 30_000;

/**
 * Makes a `fetch` that repeats what has no second effect: reads, PUT, PATCH and DELETE of records, and each POST that
 * takes an `Idempotency-Key`: it gets one unless it has one. What is {@link sentOnce} gets none and has one attempt. The
 * answer of the last attempt is returned, whatever it is.
 * @throws the error of `fetch` when no attempt got an answer
 */
export function repeating(send: Fetch, { attemptsMax = 5, pauseMs = 250, timeoutMs = 30_000 }: RetryOptions): Fetch {
  return async (request) => {
    const isOnce = isSentOnce(request);
    const sent = isOnce ? request : withKey(request);
    const lastAttempt = isOnce ? 1 : attemptsMax;
    for (let number = 1; ; number += 1) {
      const isLast = number >= lastAttempt;
      const answer = await attempt(send, sent, timeoutMs).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error;
        return undefined;
      });
      if (answer && (isLast || !(await isPassing(answer)))) return answer;
      await pause(answer, Math.min(pauseMaxMs, pauseMs * 2 ** (number - 1)), request.signal);
    }
  };
}

/** Patterns of {@link sentOnce} but for the login, which has no effect but another session. */
const once = sentOnce
  .filter((operation) => operation !== 'POST /api/v1/login')
  .map((operation) => {
    const [method = '', template = ''] = operation.split(' ');
    return { method, path: new RegExp(`${template.replace(/\{\w+\}/g, '[^/]+')}/?$`) };
  });

function isSentOnce({ method, url }: Request): boolean {
  const { pathname } = new URL(url);
  return once.some((operation) => operation.method === method && operation.path.test(pathname));
}

/** The login refuses a key. */
const withoutKey = /\/api\/v1\/login$/;

function withKey(request: Request): Request {
  const isKeyed = request.headers.has('Idempotency-Key') || withoutKey.test(new URL(request.url).pathname);
  if (request.method !== 'POST' || isKeyed) return request;
  const headers = new Headers(request.headers);
  headers.set('Idempotency-Key', crypto.randomUUID());
  return new Request(request, { headers });
}

async function isPassing(answer: Response): Promise<boolean> {
  if (answer.status !== 409) return passing.has(answer.status);
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === inFlight;
}

/** Waits as long as the service asks to, else the given time, with up to a fifth more so that clients spread. Ends when aborted. */
function pause(answer: Response | undefined, ownMs: number, signal: AbortSignal): Promise<void> {
  const retryAfterMs = Number(answer?.headers.get('retry-after') ?? 0) * 1000;
  const ms = Math.min(pauseMaxMs, Math.max(ownMs, retryAfterMs || 0)) * (1 + Math.random() / 5);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
