import { once } from 'node:events';
import net from 'node:net';

/** A proxy in front of the Redis of the run. A test can make it unavailable without affecting other tests. */
export interface RedisProxy {
  url: string;
  /** Accepts connections again. */
  up(): Promise<void>;
  /** Drops every connection and refuses new ones. */
  down(): Promise<void>;
  /** Leads new connections to another Redis; those that are open stay. */
  leadTo(redisUrl: string): void;
  /** Keeps connections open but sends no answers, like a hung server. */
  freeze(): void;
}

/** Opens a proxy on a free port. It accepts connections at once. */
export async function openRedisProxy(redisUrl: string): Promise<RedisProxy> {
  let target = new URL(redisUrl);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  return {
    // The URL keeps the user and the password of the real Redis.
    url: Object.assign(new URL(redisUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    leadTo: (other) => {
      target = new URL(other);
    },
    up: () => listen(port),
    async down() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
