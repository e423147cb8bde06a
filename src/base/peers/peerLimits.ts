/**
 * `beatEveryMs`: how often a process says in the database that it lives, and reads who does. `livesMs`: after which
 * silence it counts as ended. `pingEveryMs`: how often a process with calls in progress sends something. `silentPings`:
 * after how many pings without any answer the connection counts as lost. `goneMs`: after which silence of the caller its
 * calls are given up; less than the caller waits, so that a call is never decided on both sides. `connectMaxMs`: how long
 * a connection may take, on both sides. `leaveMaxMs`: how long a process that ends waits until its callers have their answers.
 */
export const peerLimits = {
  beatEveryMs: 1000,
  livesMs: 5000,
  pingEveryMs: 200,
  silentPings: 5,
  goneMs: 700,
  connectMaxMs: 2000,
  leaveMaxMs: 5000,
  callsMax: 5000,
  connectionsMax: 256,
} as const;
