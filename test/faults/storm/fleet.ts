import type { Config } from '#platform/infrastructure/config';
import { type Client, client } from '../../support/client';
import { type ServiceProcess, startApi, startProcess } from '../../support/processes';

/** How far the clocks of the processes are from the true time, in minutes: API, worker, API, worker … */
const clockMinutes = [3, -2, -4, 1];

/** A process of the fleet. A killed one is started again under the same name. */
export interface Machine {
  name: string;
  pid(): number;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** API and worker processes, whose clocks differ by minutes. */
export interface StormFleet {
  apis: readonly Machine[];
  workers: readonly Machine[];
  /** Clients of the API processes that run; requests to a frozen one wait. */
  clients(): readonly Client[];
  close(): Promise<void>;
}

/** Starts as many API processes and as many workers. */
export async function startStormFleet(config: Config, token: string, pairs: number): Promise<StormFleet> {
  const closing: (() => Promise<void>)[] = [];
  const running = new Map<string, Client>();
  const start = async (name: string, kind: 'api' | 'worker', n: number): Promise<Machine> => {
    const options = { clockShiftMs: (clockMinutes[n % clockMinutes.length] ?? 0) * 60_000 };
    const open = () => (kind === 'api' ? startApi(config, options) : startProcess('workers/main.ts', config, options));
    const take = async () => {
      const opened: ServiceProcess & { url?: string } = await open();
      if (opened.url !== undefined) running.set(name, client(opened.url, token));
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
    Promise.all(
      Array.from({ length: pairs }, (_unused, n) => start(`${kind} ${n + 1}`, kind, 2 * n + (kind === 'api' ? 0 : 1))),
    );
  const [apis, workers] = await Promise.all([numbered('api'), numbered('worker')]);
  return {
    apis,
    workers,
    clients: () => [...running.values()],
    close: async () => {
      await Promise.all(closing.map((end) => end()));
    },
  };
}
