import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { isErrno } from '../common/systemError';

const LOOPBACK = '127.0.0.1';

// Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections: one of those might be using the port
// when a server comes back to it, and a client that keeps trying to connect may even meet itself there.
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const ATTEMPTS = 100;

/** Gives a loopback port nobody listens on: the preferred one when it is free, else one at random. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT} on ${LOOPBACK}`);
}

/** Tells whether a server could listen on this loopback port now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (isErrno(error, 'EADDRINUSE') ? resolve(false) : reject(error)));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}

/** Tells whether something accepts connections on this loopback port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
