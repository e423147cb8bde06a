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
  /** Processor time of all processes, in milliseconds a post; one for each turn. */
  processorMs: number[];
  perSecond: number[];
}

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
    for (const place of places) place.processorMs.length = place.perSecond.length = 0;
    for (let turn = 1; turn <= options.turns; turn += 1) {
      for (const place of turn % 2 === 0 ? places : [...places].reverse()) await measureTurn(place, options.seconds);
      say(
        `turn ${turn} of ${options.turns}: ${places.map(({ processorMs }) => processorMs.at(-1)?.toFixed(2)).join(', ')} ms`,
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
  return { world, api, worker, loyaltyIDs, processorMs: [], perSecond: [] };
}

async function measureTurn({ world, api, worker, loyaltyIDs, processorMs, perSecond }: Place, seconds: number) {
  const crowd = () => loyaltyIDs[Math.floor(Math.random() * loyaltyIDs.length)] ?? '';
  const before = await countersOf(world, [api], [worker]);
  const [posted] = await postFromCrowd(world, [api], () => crowd, { connections, seconds });
  const after = await countersOf(world, [api], [worker]);
  const posts = posted?.posts ?? 0;
  const names = ['apiMs', 'workerMs', 'storesMs'] as const;
  processorMs.push(names.reduce((sum, name) => sum + after[name] - before[name], 0) / posts);
  perSecond.push(posts / seconds);
}

function tableOf(places: readonly Place[]): string[] {
  const few = places[0]?.processorMs ?? [];
  return [
    `| members, ${connections} connections | posts a second | processor ms a post | ratio |`,
    '|---:|---:|---:|---:|',
    ...places.map(({ loyaltyIDs, processorMs, perSecond }) => {
      const ratio = medianOf(processorMs.map((ms, turn) => ms / (few[turn] ?? Number.NaN)));
      return `| ${loyaltyIDs.length} | ${Math.round(medianOf(perSecond))} | ${medianOf(processorMs).toFixed(2)} | ${ratio.toFixed(2)} |`;
    }),
  ];
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
