/**
 * What one connection, and all of them together, may cost. Clients and proxies that keep connections open should give
 * them up earlier than `keepAliveMs`.
 */
export const serveLimits = {
  /** How long a connection may rest between two requests. */
  keepAliveMs: 65_000,
  /** Until the headers of a request, from its first byte or from the accepting of the connection. */
  headersMs: 10_000,
  /** Until the whole of a request. */
  requestMs: 120_000,
  /** How often requests that are late are looked for. */
  lateCheckMs: 1_000,
  /** How long a client may take nothing of an answer. */
  stalledMs: 20_000,
  /** How long an ended connection waits for the client to end it too, so that it can read what was sent last. */
  lingerMs: 1_000,
  /** Requests of one connection that wait for those before them; then no more is read from it. */
  pipelinedMax: 32,
  /** Requests of all connections that wait so: what was read at once may be more than `pipelinedMax`. */
  waitingMax: 10_000,
  /** Request line and headers; an argument of 16 KB is three times as long when all of it is percent-encoded. */
  headMaxBytes: 65_536,
  /** How long resting connections may still bring a request after the end began. */
  idleGraceMs: 2_000,
  /** How long what is in flight has at the end. */
  closeMs: 7_000,
} as const;

/** The same with other values. */
export type ServeLimits = { readonly [Name in keyof typeof serveLimits]: number };
