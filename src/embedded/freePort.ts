import { connect, createServer } from 'node:net';
import { isErrno } from './systemError';

const LOOPBACK = '127.0.0.1';

/** Gives a loopback port nobody listens on: the preferred one when it is free, else any. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('no free loopback port');
  return port;
}

/** Tells whether a server could listen on this loopback port now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
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

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (isErrno(error, 'EADDRINUSE') ? resolve(undefined) : reject(error)));
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : undefined));
    });
  });
}
