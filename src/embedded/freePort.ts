import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { isErrno } from '../common/systemError';
import { fileOf, readText, writePrivate } from './dataFiles';

// The range is below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections. Such a
// connection could use the port when a server wants it again. A client that tries again and again to connect could even
// connect to itself there.
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const ATTEMPTS = 100;

/**
 * Returns the port for a server of a data directory: its earlier port when that is free, else a new one, which it
 * stores.
 */
export async function portOf(dataDir: string, name: string): Promise<number> {
  const port = await freePort(readPort(dataDir, name));
  writePrivate(fileOf(dataDir, name, 'port'), `${port}\n`);
  return port;
}

/** Returns the port that a server of a data directory has, or had when it last ran. */
export function readPort(dataDir: string, name: string): number | undefined {
  return Number(/^\d{1,5}$/m.exec(readText(fileOf(dataDir, name, 'port')))?.[0]) || undefined;
}

/** Returns a loopback port on which nobody listens: the preferred one when it is free, else a random one. */
export async function freePort(preferred?: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = attempt === 0 && preferred ? preferred : randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT}`);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (isErrno(error, 'EADDRINUSE') ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
