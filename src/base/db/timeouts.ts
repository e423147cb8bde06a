/**
 * Time limits in milliseconds. A request is answered after `requestMs` in any case. The other limits end what the
 * request waits for, shortly before or after. So nothing piles up behind a store that does not answer.
 */
export const timeouts = {
  /** From the arrival of a request to its 503, without the time in which the client sends the body. */
  requestMs: 4500,
  /** Waiting for a server that accepts the operation. Longer than a step-down takes, shorter than a request. */
  selectionMs: 3000,
  /** Waiting for a connection of the pool when all are in use. */
  poolMs: 2500,
  /**
   * Waiting for a new connection, or for the answer to a heartbeat. When no answer comes, the driver ends the
   * operations in progress on that server.
   */
  connectMs: 2500,
  heartbeatMs: 1000,
  /**
   * Waiting for one answer of a server that still answers heartbeats, for example while its disk hangs. No operation
   * here takes that long.
   */
  socketMs: 20_000,
  /** Waiting for the majority, for a write or a linearizable read. */
  majorityMs: 2000,
  /** A batch for which no client waits, such as one from the inbox. */
  batchMs: 8000,
} as const;
