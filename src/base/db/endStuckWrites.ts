import type { Connection } from 'mongoose';

/** What this needs of a connection in the driver's pool. The driver does not export it (mongodb 7.8 and 7.9). */
interface PooledConnection {
  closed: boolean;
  socket: { emit(event: 'drain'): boolean; listenerCount(event: 'drain'): number };
}

interface Topology {
  s: { servers: ReadonlyMap<string, { pool: { checkedOut: Iterable<PooledConnection> } }> };
}

const sweepMs = 500;

/**
 * Ends operations that would never end. The driver waits for `drain` when a socket does not take a command at once. A
 * socket that was destroyed emits only `close`, so an operation that began to write just before, or just after, waits
 * forever. No time limit of the driver ends it, and all requests that wait for it hang with it. After a `drain` the
 * driver looks at its connection, finds it closed, and fails the operation as for any lost connection.
 */
export function endStuckWrites(db: Connection): void {
  const client = db.getClient() as unknown as { topology?: Topology };
  const sweep = () => {
    for (const { pool } of client.topology?.s.servers.values() ?? []) {
      for (const { closed, socket } of pool.checkedOut) {
        if (closed && socket.listenerCount('drain') > 0) socket.emit('drain');
      }
    }
  };
  const timer = setInterval(sweep, sweepMs).unref();
  db.once('close', () => clearInterval(timer));
}
