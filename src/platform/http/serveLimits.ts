import { hourMs } from '#base/common/durations';
/**
 * Limits of one connection and of all connections together. Clients and proxies that keep connections open should close
 * idle ones earlier than `keepAliveMs`.
 */
export const serveLimits = {
  /** How many new connections the system keeps until they are accepted. It may have a lower limit (net.core.somaxconn). */
  unacceptedMax: 4096,
  /** How long a connection may be idle between two requests. */
  keepAliveMs: 65_000,
  /** Time for the headers of a request, from its first byte or from the accepting of the connection. */
  headersMs: 10_000,
  /** Time for the whole request, unless its route allows slow bodies. */
  requestMs: 120_000,
  /** Time for the whole request on every route. */
  longRequestMs: 6 * hourMs,
  /** How often the server looks for late requests. */
  lateCheckMs: 1_000,
  /** How long a client may read nothing of its answer. */
  stalledMs: 20_000,
  /** How long an ended connection waits for the client to end it too, so that the client can read the last answer. */
  lingerMs: 1_000,
  /**
   * The most requests of one connection that wait for earlier ones. Then the server stops reading from the connection.
   */
  pipelinedMax: 32,
  /** The most waiting requests of all connections. One read may bring a connection more than `pipelinedMax`. */
  waitingMax: 10_000,
  /** The most bytes of request line and headers. Percent-encoding can make an argument of 16 KB three times as long. */
  headMaxBytes: 65_536,
  /** How long idle connections may still send a request after the shutdown began. */
  idleGraceMs: 2_000,
  /** How long requests in progress may take after the shutdown began. */
  closeMs: 7_000,
} as const;

/** Limits with the names of {@link serveLimits} and any values. */
export type ServeLimits = { readonly [Name in keyof typeof serveLimits]: number };
