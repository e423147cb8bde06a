import { once } from 'node:events';
import net from 'node:net';

/** Stands before the Redis of the run, so that a test can take "its" Redis away without anybody else losing theirs. */
export interface RedisProxy {
  url: string;
  /** Accepts connections again. */
  up(): Promise<void>;
  /** Drops every connection and refuses new ones. */
  down(): Promise<void>;
  /** Keeps connections open but answers nothing, as a hung server does. */
  freeze(): void;
}

/** Opens a proxy on a free port; it is up. */
export async function openRedisProxy(redisUrl: string): Promise<RedisProxy> {
  const target = new URL(redisUrl);
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
    // With the user and the password of the Redis behind it.
    url: Object.assign(new URL(redisUrl), { hostname: '127.0.0.1', port: String(port) }).href,
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
