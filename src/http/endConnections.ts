import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { elapsedMs } from '../common/clock';
import type { Connections } from './connections';
import type { ServeLimits } from './serveLimits';

/** How often resting connections are looked at while a server ends. */
const lookEveryMs = 100;

/**
 * Accepts no connection from here on. Those that are established and not yet accepted would be reset with what they
 * have sent, so it waits for a moment at which all were just accepted.
 * @returns what resolves once every connection has ended
 */
export async function refuseMore(server: Server): Promise<{ whole: Promise<unknown> }> {
  await quietTurn();
  // Not the HTTP server's own close, which ends resting connections while their next request may be on its way.
  return { whole: new Promise((resolve) => TcpServer.prototype.close.call(server, resolve)) };
}

const quietTurnMs = 1;
const turnsMax = 200;

/** Waits for a turn of the event loop, in which connections are accepted, that took no time for anything else. */
async function quietTurn(): Promise<void> {
  await turn();
  for (let count = 0; count < turnsMax; count += 1) {
    const startedAt = elapsedMs();
    await turn();
    if (elapsedMs() - startedAt < quietTurnMs) return;
  }
}

/** Lets what is in flight be answered and resting connections bring a last request, then ends what is left. */
export async function endConnections(
  server: Server,
  connections: Connections,
  { idleGraceMs, closeMs }: ServeLimits,
  closed: { whole: Promise<unknown> },
): Promise<void> {
  // After what has arrived was read: timers come before.
  const look = () => setImmediate(() => connections.endResting(idleGraceMs));
  look();
  const looks = setInterval(look, lookEveryMs);
  const late = setTimeout(() => server.closeAllConnections(), closeMs);
  await closed.whole;
  clearInterval(looks);
  clearTimeout(late);
}
