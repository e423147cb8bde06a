import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy in front of a port of this machine, which a test can disturb. */
export interface TcpProxy {
  port: number;
  /** Closes all connections. New ones are taken. */
  cut(): void;
  /** Passes nothing on until `heal`, and keeps connections open, like a network that is interrupted. */
  hold(): void;
  /** Passes nothing on through the connections that are open now, for ever, as when the other machine is gone. */
  abandon(): void;
  /** Passes everything on so many milliseconds later, until `heal`. */
  slow(delayMs: number): void;
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  sockets: readonly [Socket, Socket];
  isAbandoned: boolean;
}

/** Opens a proxy on a free port, which at first passes everything on. */
export async function openTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const disturbed = { isHeld: false, delayMs: 0 };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { sockets: [client, upstream], isAbandoned: false };
    pairs.add(pair);
    for (const socket of pair.sockets) socket.on('close', () => pairs.delete(pair));
    passOn(client, upstream, pair, disturbed);
    passOn(upstream, client, pair, disturbed);
    if (disturbed.isHeld) pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    hold() {
      disturbed.isHeld = true;
      for (const pair of pairs) pause(pair);
    },
    abandon() {
      for (const pair of pairs) pair.isAbandoned = true;
    },
    slow(delayMs) {
      disturbed.delayMs = delayMs;
    },
    heal() {
      Object.assign(disturbed, { isHeld: false, delayMs: 0 });
      for (const { sockets } of pairs) for (const socket of sockets) socket.resume();
    },
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}

function pause({ sockets }: Pair): void {
  for (const socket of sockets) socket.pause();
}

/** Passes on what one socket receives, in its order. */
function passOn(from: Socket, to: Socket, pair: Pair, disturbed: { delayMs: number }): void {
  let passed = Promise.resolve();
  const later = (act: () => void) => {
    const { delayMs } = disturbed;
    passed = passed.then(() => (delayMs > 0 ? sleep(delayMs) : undefined)).then(act);
  };
  from.on('data', (chunk) => later(() => pair.isAbandoned || !to.writable || to.write(chunk)));
  from.on('end', () => later(() => pair.isAbandoned || to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => later(() => pair.isAbandoned || to.destroy()));
}
