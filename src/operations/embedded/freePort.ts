import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isErrno } from '#base/common/systemError';
import { readText, serverFile, writePrivate } from './dataFiles';

// The range is below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections. Such a
// connection could use the port when a server wants it again. A client that tries repeatedly to connect could even
// connect to itself there.
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/**
 * Returns the port for a server of a data directory: its earlier port when that is free, else a new one, which it
 * stores.
 */
export async function reservePort(dataDir: string, name: string): Promise<number> {
  const port = await freePort(readPort(dataDir, name));
  writePrivate(serverFile(dataDir, name, 'port'), `${port}\n`);
  return port;
}

/** Returns the port that a server of a data directory has, or had when it last ran; 0 when none is known. */
export function readPort(dataDir: string, name: string): number {
  return Number.parseInt(readText(serverFile(dataDir, name, 'port')), 10) || 0;
}

/** Returns a loopback port on which nobody listens: the preferred one when it is free, else a random one. */
export async function freePort(preferred = 0): Promise<number> {
  const port = preferred || randomInt(FIRST_PORT, LAST_PORT + 1);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return freePort();
    throw error;
  }
  await once(server.close(), 'close');
  return port;
}
