import { freePort } from '#operations/embedded/freePort';
import type { Config } from '#platform/infrastructure/config';
import { type Client, clientsOf } from '../../support/client';
import { type ServiceProcess, startApi, startProcess } from '../../support/processes';
import { openTcpProxy, type TcpProxy } from '../../support/tcpProxy';

/** How far the clocks of the processes are from the true time, in minutes: API, worker, API, worker … */
const clockMinutes = [3, -2, -4, 1];

/** Who clients of a storm are: users of its org, or of the org whose activities are archived meanwhile. */
export type StormRole = 'client' | 'admin' | 'ledger-admin' | 'archived client' | 'archived admin';

/** A process of the fleet. A killed one is started again under the same name. */
export interface Machine {
  name: string;
  pid(): number;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** API and worker processes, whose clocks differ by minutes. They reach MongoDB, Redis and each other through proxies. */
export interface StormFleet {
  apis: readonly Machine[];
  workers: readonly Machine[];
  /** Between the processes and the members of the replica set, in their order. */
  toMongo: readonly TcpProxy[];
  /** Between the processes and Redis. */
  toRedis: TcpProxy;
  /** Between the APIs. */
  toPeers: readonly TcpProxy[];
  /** Clients of the API processes that run; requests to a frozen one wait. */
  clients(role?: StormRole): readonly Client[];
  close(): Promise<void>;
}

/** What a fleet is started on. */
export interface FleetInput {
  config: Config;
  tokens: Readonly<Record<StormRole, string>>;
  /** The number of API processes, and of workers. */
  pairs: number;
  mongoPorts: readonly number[];
  redisPort: number;
}

/** Starts as many API processes and as many workers. */
export async function startStormFleet({ config, tokens, pairs, ...stores }: FleetInput): Promise<StormFleet> {
  const closing: (() => Promise<void>)[] = [];
  const running = new Map<string, (token: string) => Client>();
  const peerPorts = await Promise.all(Array.from({ length: pairs }, () => freePort()));
  const { toMongo, toRedis, toPeers, proxiedPorts } = await openProxies(stores, peerPorts);

  const start = async (kind: 'api' | 'worker', n: number): Promise<Machine> => {
    const name = `${kind} ${n + 1}`;
    const clock = clockMinutes[(2 * n + (kind === 'api' ? 0 : 1)) % clockMinutes.length] ?? 0;
    const options = { clockShiftMs: clock * 60_000, proxiedPorts };
    const own = { ...config, PEER_HOST: '127.0.0.1', PEER_PORT: peerPorts[n] ?? 0 };
    const open = () => (kind === 'api' ? startApi(own, options) : startProcess('workers/main.ts', own, options));
    const take = async () => {
      const opened: ServiceProcess & { url?: string } = await open();
      if (opened.url !== undefined) running.set(name, clientsOf(opened.url));
      return opened;
    };
    let current = await take();
    closing.push(() => current.kill());
    return {
      name,
      pid: () => current.pid,
      freeze: () => void process.kill(current.pid, 'SIGSTOP'),
      thaw: () => void process.kill(current.pid, 'SIGCONT'),
      async kill() {
        running.delete(name);
        await current.kill();
      },
      async restart() {
        current = await take();
      },
    };
  };
  const numbered = (kind: 'api' | 'worker') =>
    Promise.all(Array.from({ length: pairs }, (_unused, n) => start(kind, n)));
  const [apis, workers] = await Promise.all([numbered('api'), numbered('worker')]);
  return {
    apis,
    workers,
    toMongo,
    toRedis,
    toPeers,
    clients: (role = 'client') => [...running.values()].map((clientOf) => clientOf(tokens[role])),
    close: async () => {
      await Promise.all(closing.map((end) => end()));
      await Promise.all([...toMongo, toRedis, ...toPeers].map((proxy) => proxy.close()));
    },
  };
}

/** Opens a proxy before each of these ports. */
async function openProxies(
  { mongoPorts, redisPort }: Pick<FleetInput, 'mongoPorts' | 'redisPort'>,
  peerPorts: readonly number[],
) {
  const opened = (ports: readonly number[]) => Promise.all(ports.map((port) => openTcpProxy(port)));
  const [toMongo, toPeers, toRedis] = await Promise.all([
    opened(mongoPorts),
    opened(peerPorts),
    openTcpProxy(redisPort),
  ]);
  const ports = [...mongoPorts, redisPort, ...peerPorts];
  const proxiedPorts = new Map([...toMongo, toRedis, ...toPeers].map((proxy, n) => [ports[n] ?? 0, proxy.port]));
  return { toMongo, toRedis, toPeers, proxiedPorts };
}
