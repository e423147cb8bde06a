import { type BenchWorld, openBenchWorld, type StartedServer } from './benchWorld';
import { postFromCrowd } from './crowdPosts';
import { countersOf } from './scaleCounters';
import { storeMembers } from './storeMembers';

const connections = 64;

/** A service with this many members, whose purchases are posted. */
interface Place {
  world: BenchWorld;
  api: StartedServer;
  worker: StartedServer;
  loyaltyIDs: string[];
  /** The sum of all turns. */
  total: Measured;
}

/** Whose processor time is measured. */
const processes = ['apiMs', 'workerMs', 'storesMs'] as const;

/** Posts, the seconds in which they were posted, and the processor time of the processes in milliseconds. */
type Measured = Record<(typeof processes)[number] | 'posts' | 'seconds', number>;

const nothing: Measured = { posts: 0, seconds: 0, apiMs: 0, workerMs: 0, storesMs: 0 };

/** How often both are measured, and for how many seconds each time. */
export interface MembersStored {
  many: number;
  turns: number;
  seconds: number;
}

/**
 * Compares the processor time of a post with 1,000 members and with many. Both have stores of their own and take turns,
 * because the speed of a machine changes within minutes.
 * @throws Error when a post fails
 */
export async function measureMembersStored(options: MembersStored, say: (line: string) => void): Promise<string[]> {
  const places: Place[] = [];
  try {
    for (const count of [1000, options.many]) {
      say(`storing ${count} members`);
      places.push(await openPlace(count));
    }
    for (const place of places) await measureTurn(place, options.seconds);
    for (let turn = 1; turn <= options.turns; turn += 1) {
      for (const place of turn % 2 === 0 ? places : [...places].reverse()) {
        const measured = await measureTurn(place, options.seconds);
        for (const name of [...processes, 'posts', 'seconds'] as const) place.total[name] += measured[name];
      }
      say(
        `turn ${turn} of ${options.turns}: ${places.map(({ total }) => processorMsAPost(total).toFixed(2)).join(', ')} ms`,
      );
    }
    return tableOf(places);
  } finally {
    for (const { world, api, worker } of places) {
      await Promise.all([api.stop(), worker.stop()]);
      await world.close();
    }
  }
}

async function openPlace(count: number): Promise<Place> {
  const world = await openBenchWorld();
  const loyaltyIDs = await storeMembers(world, count);
  const [api, worker] = [await world.startApi(), await world.startWorker({ rollsUp: true })];
  return { world, api, worker, loyaltyIDs, total: { ...nothing } };
}

async function measureTurn({ world, api, worker, loyaltyIDs }: Place, seconds: number): Promise<Measured> {
  const crowd = () => loyaltyIDs[Math.floor(Math.random() * loyaltyIDs.length)] ?? '';
  const before = await countersOf(world, [api], [worker]);
  const [posted] = await postFromCrowd(world, [api], () => crowd, { connections, seconds });
  const after = await countersOf(world, [api], [worker]);
  const spent = processes.map((name) => [name, after[name] - before[name]] as const);
  return { ...nothing, ...Object.fromEntries(spent), posts: posted?.posts ?? 0, seconds };
}

function tableOf(places: readonly Place[]): string[] {
  const few = places[0];
  return [
    `| members, ${connections} connections | posts a second | processor ms a post: API, worker, stores | ratio |`,
    '|---:|---:|---|---:|',
    ...places.map((place) => {
      const { posts, seconds } = place.total;
      const each = processes.map((name) => (place.total[name] / posts).toFixed(2)).join(', ');
      const ratio = processorMsAPost(place.total) / processorMsAPost((few ?? place).total);
      return `| ${place.loyaltyIDs.length} | ${Math.round(posts / seconds)} | ${each} | ${ratio.toFixed(2)} |`;
    }),
  ];
}

/** The ratio of sums: one slow turn weighs no more than its posts. */
function processorMsAPost(measured: Measured): number {
  return processes.reduce((sum, name) => sum + measured[name], 0) / measured.posts;
}
