/**
 * The HTTP request that something comes from. It travels with accepted work, so that the log lines and spans of the
 * worker name it.
 */
export interface Origin {
  /** At most 100 characters, which are safe for logs. */
  requestId: string;
  /** The context of the request's span; only when its trace is recorded. */
  traceparent?: string | undefined;
}

/** The origin of the work of a request. */
export function pickOrigin({ requestId, traceparent }: Origin): Origin {
  return traceparent === undefined ? { requestId } : { requestId, traceparent };
}
