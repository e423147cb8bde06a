/** Sends a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * Sends a request once, and gives it up when its answer has not begun in time.
 * @throws DOMException `TimeoutError` after `timeoutMs`; the reason of the request's signal when that aborts it
 */
export async function attempt(send: Fetch, request: Request, timeoutMs: number): Promise<Response> {
  request.signal.throwIfAborted();
  const giveUp = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      giveUp.abort(reason);
      // `fetch` may have lost the signal: a signal is held weakly, and a garbage collection takes it.
      reject(reason);
    };
    const late = () => end(new DOMException(`No answer within ${timeoutMs} ms`, 'TimeoutError'));
    const timer = setTimeout(late, timeoutMs);
    const stopped = () => end(request.signal.reason);
    // It stays for the body of the answer.
    request.signal.addEventListener('abort', stopped, { once: true });
    send(new Request(request.clone(), { signal: giveUp.signal }))
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
