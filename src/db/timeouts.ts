/**
 * How long the driver waits, in milliseconds. A request is answered after `requestMs` whatever happens; the
 * others end what it waited for soon after or before, so that nothing piles up behind a store that does not answer.
 */
export const timeouts = {
  /** From the arrival of a request to its 503, reading the body from the client not counted. */
  requestMs: 4500,
  /** For a server that can take an operation: longer than a step-down takes, shorter than a request. */
  selectionMs: 3000,
  /** For a connection of the pool, when all are in use. */
  poolMs: 2500,
  /** For a connection and for the answer to a heartbeat; then operations of that server in flight are ended. */
  connectMs: 2500,
  heartbeatMs: 1000,
  /** For one answer of a server whose heartbeats are answered, as when its disk hangs. Nothing here takes so long. */
  socketMs: 20_000,
  /** For the majority, of a write or of a linearizable read. */
  majorityMs: 2000,
  /** For a batch that no client waits for, as those from the inbox. */
  batchMs: 8000,
} as const;
