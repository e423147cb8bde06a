import { once } from 'node:events';
import net from 'node:net';

/** A proxy in front of the MongoDB of the run, for one connection of a test. */
export interface MongoProxy {
  uri: string;
  /** Which messages of a client get through. The connection of another one is cut. */
  admits(check: (message: Buffer) => boolean): void;
  close(): Promise<void>;
}

/** Opens a proxy on a free port, which at first lets everything through. */
export async function openMongoProxy(mongodbUri: string): Promise<MongoProxy> {
  const target = new URL(mongodbUri.replace('mongodb:', 'http:'));
  let check: (message: Buffer) => boolean = () => true;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    upstream.pipe(client);
    let current: Buffer = Buffer.alloc(0);
    client.on('data', (chunk) => {
      current = Buffer.concat([current, chunk as Buffer]);
      while (current.length >= 4 && current.length >= current.readInt32LE(0)) {
        const message = current.subarray(0, current.readInt32LE(0));
        current = current.subarray(message.length);
        if (!check(message)) return cut();
        upstream.write(message);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    uri: throughPort(target, port),
    admits(requested) {
      check = requested;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** The connection string by way of a port of this machine, with the user and the password of the real one. */
function throughPort(target: URL, port: number): string {
  const through = new URL(target);
  [through.hostname, through.port] = ['127.0.0.1', String(port)];
  through.searchParams.delete('replicaSet');
  through.searchParams.set('directConnection', 'true');
  return through.href.replace('http:', 'mongodb:');
}
