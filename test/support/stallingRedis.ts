import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

/**
 * A proxy to the Redis of the run that a test can stall. Like a frozen server, it stays connected but sends nothing.
 */
export interface StallingRedis {
  url: string;
  stall(): void;
  goOn(): void;
  close(): void;
}

/** Opens a proxy to the Redis of the run. */
export async function stallingRedis(url: string): Promise<StallingRedis> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = dial(Number(target.port), target.hostname);
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => upstream.write(chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
      sockets.add(socket);
      if (isStalled) socket.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  const own = new URL(url);
  own.host = `127.0.0.1:${address.port}`;
  return {
    url: own.href,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
