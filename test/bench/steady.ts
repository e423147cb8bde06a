import { type BenchWorld, openBenchWorld, type StartedServer } from './benchWorld';
import { postFromCrowd } from './crowdPosts';
import { memoryMbOf } from './memoryMbOf';
import { processorMsOf } from './processorMsOf';
import { type Crowd, crowdOf } from './scaleCrowds';
import { storeMembers } from './storeMembers';

const connections = 64;

/** What is measured in one minute of full load. Memory is in MB, processor time in milliseconds a post. */
interface Minute {
  perSecond: number;
  p50: number;
  p99: number;
  memory: { api: number; worker: number; mongod: number };
  processorMs: number;
}

/**
 * Posts purchases of 100,000 members at full load to one API, beside a worker that rolls up, and tells minute by minute
 * how fast it is and how much memory each process has. The last row compares the last minute with the second one: the
 * first one fills caches.
 * @throws Error when a post fails
 */
export async function measureSteady(minutes: number, say: (line: string) => void): Promise<string[]> {
  if (!(minutes >= 3)) throw new Error('At least 3 minutes are needed: the first one fills caches');
  const world = await openBenchWorld();
  try {
    const crowd = crowdOf('100,000 members', await storeMembers(world, 100_000));
    const api = await world.startApi();
    const worker = await world.startWorker({ rollsUp: true });
    const measured: Minute[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      measured.push(await measureMinute(world, { api, worker }, crowd));
      say(rowOf(String(minute), measured.at(-1) as Minute));
    }
    await Promise.all([api.stop(), worker.stop()]);
    return [...header, ...measured.map((each, index) => rowOf(String(index + 1), each)), changeOf(measured)];
  } finally {
    await world.close();
  }
}

const header = [
  `| minute, ${connections} connections | posts a second | p50 ms | p99 ms | API MB | worker MB | mongod MB | processor ms a post |`,
  '|---|---:|---:|---:|---:|---:|---:|---:|',
];

interface Servers {
  api: StartedServer;
  worker: StartedServer;
}

async function measureMinute(world: BenchWorld, { api, worker }: Servers, crowd: Crowd): Promise<Minute> {
  const [mongod = 0, redis = 0] = world.storePids;
  const usedMs = () => [api.pid, worker.pid, mongod, redis].reduce((sum, pid) => sum + processorMsOf(pid), 0);
  const before = usedMs();
  const [posted] = await postFromCrowd(world, [api], () => crowd, { connections, seconds: 60 });
  const { posts, p50, p99 } = posted ?? { posts: 0, p50: 0, p99: 0 };
  return {
    perSecond: posts / 60,
    p50,
    p99,
    memory: {
      api: memoryMbOf(api.pid, 'now'),
      worker: memoryMbOf(worker.pid, 'now'),
      mongod: memoryMbOf(mongod, 'now'),
    },
    processorMs: (usedMs() - before) / posts,
  };
}

function rowOf(name: string, { perSecond, p50, p99, memory, processorMs }: Minute): string {
  const { api, worker, mongod } = memory;
  const cells = [Math.round(perSecond), p50, p99, ...[api, worker, mongod].map(Math.round), processorMs.toFixed(2)];
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** How the last minute differs from the second one: each figure as a ratio. */
function changeOf(minutes: readonly Minute[]): string {
  const [second, last] = [figuresOf(minutes[1] as Minute), figuresOf(minutes.at(-1) as Minute)];
  const ratios = last.map((figure, index) => (figure / (second[index] ?? Number.NaN)).toFixed(2));
  return `| last to second | ${ratios.join(' | ')} |`;
}

function figuresOf({ perSecond, p50, p99, memory, processorMs }: Minute): number[] {
  return [perSecond, p50, p99, memory.api, memory.worker, memory.mongod, processorMs];
}
