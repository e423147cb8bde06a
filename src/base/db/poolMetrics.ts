import type { Connection } from 'mongoose';
import { Gauge } from 'prom-client';

/** Connections of the pool as the driver's events tell them: open ones by name, and how many are in use or awaited. */
interface Pool {
  open: Set<string>;
  inUse: number;
  awaited: number;
}

const pools = new Set<Pool>();

const connections: Gauge<'state'> = new Gauge({
  name: 'loyalty_mongodb_connections',
  help: 'Connections to MongoDB by state: in_use, idle; MONGODB_MAX_POOL bounds them',
  labelNames: ['state'],
  collect() {
    const inUse = sum(({ inUse }) => inUse);
    connections.set({ state: 'in_use' }, inUse);
    connections.set({ state: 'idle' }, Math.max(0, sum(({ open }) => open.size) - inUse));
  },
});

const waiting: Gauge = new Gauge({
  name: 'loyalty_mongodb_waiting',
  help: 'Operations that wait for a connection to MongoDB',
  collect: () => waiting.set(sum(({ awaited }) => awaited)),
});

/** Shows the connections of a database in the metrics of the process, until its pool is closed. */
export function showPool(db: Connection): void {
  const pool: Pool = { open: new Set(), inUse: 0, awaited: 0 };
  const nameOf = (event: { address: string; connectionId: unknown }) => `${event.address}/${event.connectionId}`;
  const client = db.getClient();
  client.on('connectionCheckOutStarted', () => {
    pool.awaited += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    pool.awaited -= 1;
  });
  client.on('connectionCheckedOut', (event) => {
    pool.awaited -= 1;
    pool.inUse += 1;
    // The first connections are older than this listener.
    pool.open.add(nameOf(event));
  });
  client.on('connectionCheckedIn', () => {
    pool.inUse -= 1;
  });
  client.on('connectionCreated', (event) => pool.open.add(nameOf(event)));
  client.on('connectionClosed', (event) => pool.open.delete(nameOf(event)));
  client.on('topologyClosed', () => pools.delete(pool));
  pools.add(pool);
}

function sum(of: (pool: Pool) => number): number {
  return [...pools].reduce((total, pool) => total + of(pool), 0);
}
