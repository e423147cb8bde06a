import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { elapsedMs } from '#base/common/clock';
import type { Connections } from './connections';
import type { ServeLimits } from './serveLimits';

/** How often, in milliseconds, idle connections are checked while a server shuts down. */
const lookEveryMs = 100;

/**
 * Stops accepting connections. Closing would reset connections that are established but not yet accepted, and lose what
 * they have sent, so this first waits until all of them are accepted.
 * @returns `allClosed`, which resolves once every connection has ended
 */
export async function stopAccepting(server: Server): Promise<{ allClosed: Promise<unknown> }> {
  await acceptAll(server);
  // This is the `close` of a TCP server. That of the HTTP server would also end idle connections while their next
  // request may be on its way.
  return { allClosed: new Promise((resolve) => TcpServer.prototype.close.call(server, resolve)) };
}

const acceptMaxMs = 2_000;

/** Waits for a turn of the event loop that accepts no connection: after it, none waits. */
async function acceptAll(server: Server): Promise<void> {
  let hasAccepted = false;
  const note = () => {
    hasAccepted = true;
  };
  server.on('connection', note).on('drop', note);
  const endsAt = elapsedMs() + acceptMaxMs;
  // The first turn may be over already.
  await turn();
  do {
    hasAccepted = false;
    await turn();
  } while (hasAccepted && elapsedMs() < endsAt);
  server.off('connection', note).off('drop', note);
}

/**
 * Lets requests in progress finish, and lets idle connections send a last request. Closes what is left after `closeMs`.
 */
export async function endConnections(
  server: Server,
  connections: Connections,
  { idleGraceMs, closeMs }: ServeLimits,
  closed: { allClosed: Promise<unknown> },
): Promise<void> {
  // `setImmediate` runs after the event loop has read what arrived, unlike the timer itself.
  const endIdle = () => setImmediate(() => connections.endResting(idleGraceMs));
  endIdle();
  const endIdleTimer = setInterval(endIdle, lookEveryMs);
  const late = setTimeout(() => server.closeAllConnections(), closeMs);
  await closed.allClosed;
  clearInterval(endIdleTimer);
  clearTimeout(late);
}
