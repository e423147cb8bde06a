import { collectionOf } from '#base/db/collections';
import { submissionResource } from '#records/activities/submission';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { type BenchWorld, openBenchWorld, type StartedServer } from './benchWorld';
import { postFromCrowd } from './crowdPosts';
import { measureAccepted, queuedLeft } from './inbox';
import { type Counters, countersOf } from './scaleCounters';
import { type Crowd, type CrowdName, crowdOf, crowds, splitCrowd } from './scaleCrowds';
import { storeMembers } from './storeMembers';

/** Processes of the service: APIs and workers. */
interface Fleet {
  apis: number;
  workers: number;
}

const allFleets: readonly Fleet[] = [
  { apis: 1, workers: 0 },
  { apis: 1, workers: 1 },
  { apis: 2, workers: 2 },
  { apis: 4, workers: 4 },
];

const connections = 64;

/** What is measured: whose purchases, whether a budget of the program counts them, whether a queue is drained beside. */
interface Load {
  crowd: CrowdName;
  hasBudget: boolean;
  hasQueue: boolean;
}

const loads: readonly Load[] = [
  ...crowds.map((crowd) => ({ crowd, hasBudget: false, hasQueue: false })),
  { crowd: '1,000 members', hasBudget: true, hasQueue: false },
  { crowd: '100,000 members', hasBudget: true, hasQueue: false },
  { crowd: '100,000 members', hasBudget: false, hasQueue: true },
  { crowd: '100,000 members', hasBudget: true, hasQueue: true },
];

/** Activities that wait in the queue when the measurement of a load with one begins. */
const queued = 20_000;

/** How many rounds of how many seconds, after as many of warming up. Each round measures all loads and fleets, because a machine changes within minutes. */
export interface ScaleOptions {
  rounds: number;
  seconds: number;
  /** Loads to measure, by a part of their names, or by whole names separated by semicolons; default: all. */
  only: string;
  /** Fleets to measure, such as `2 + 2`, separated by commas; default: all. */
  fleets: string;
  /** A built checkout that is measured in turns with this one; default: none. */
  against: string;
  /** True: each API gets the posts of its own members. So nothing conflicts, as with perfect affinity. */
  isApart: boolean;
}

/** The result of one fleet under one load in one round. */
interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time a post, in milliseconds: of the APIs, the workers and the two servers. */
  processorMs: { api: number; worker: number; stores: number };
  /** Commits that were tried again, of all. */
  retried: number;
  conflicts: number;
  /** Activities of a commit, on average. */
  groupSize: number;
  /** Queued activities that were processed a second. */
  drained: number;
}

/** What is measured in each round: a fleet under a load. */
interface Place {
  load: Load;
  fleet: Fleet;
  /** The folder of another checkout; undefined: this one. */
  folder: string | undefined;
  results: Measured[];
}

/**
 * Measures sync posts of fleets of processes on the same stores.
 * @returns rows of a table: the median round of each fleet and load
 * @throws Error when no load or no fleet has the wanted name, or a post fails
 */
export async function measureScale(options: ScaleOptions, say: (line: string) => void): Promise<string[]> {
  const places = placesOf(options);
  const world = await openBenchWorld();
  try {
    say('storing 100,000 members');
    const members = await storeMembers(world, 100_000);
    for (let round = 0; round < options.rounds; round += 1) {
      // Every second round in reverse, so that what grows favours nobody.
      for (const place of round % 2 === 0 ? places : [...places].reverse()) {
        const { load } = place;
        await world.useRules(5, load.hasBudget ? { points: 1_000_000_000_000 } : undefined);
        const measured = await measureFleet(world, place, { ...options, crowd: crowdOf(load.crowd, members) });
        place.results.push(measured);
        say(rowOf({ ...place, results: [measured] }, []));
      }
    }
    return [...header, ...places.map((place) => rowOf(place, places))];
  } finally {
    await world.close();
  }
}

function placesOf({ only, fleets: wanted, against }: ScaleOptions): Place[] {
  const parts = (text: string, separator: string) => text.split(separator).map((part) => part.trim());
  const isWanted = (load: Load) =>
    only.includes(';') ? parts(only, ';').includes(nameOf(load)) : nameOf(load).includes(only);
  const names = allFleets.map(fleetName);
  const wantedNames = wanted === '' ? names : parts(wanted, ',');
  if (!wantedNames.every((name) => names.includes(name))) throw new Error(`There are the fleets ${names.join(', ')}`);
  const fleets = allFleets.filter((fleet) => wantedNames.includes(fleetName(fleet)));
  const folders = against === '' ? [undefined] : [undefined, against];
  const places = loads
    .filter(isWanted)
    .flatMap((load) => fleets.flatMap((fleet) => folders.map((folder) => ({ load, fleet, folder, results: [] }))));
  const possible = places.filter(({ load, fleet }) => !load.hasQueue || fleet.workers > 0);
  if (possible.length === 0) throw new Error(`There are the loads ${loads.map(nameOf).join('; ')}`);
  return possible;
}

const header = [
  '| load | fleet | posts a second | to 1 + 1 | to the plain load | p50 ms | p99 ms | processor ms a post: API, worker, stores | tried again | conflicts | activities a commit | queued activities a second |',
  '|---|---|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|',
];

interface Run extends Pick<ScaleOptions, 'seconds' | 'isApart'> {
  crowd: Crowd;
}

async function measureFleet(world: BenchWorld, { load, fleet, folder }: Place, run: Run): Promise<Measured> {
  const apis = await Promise.all(Array.from({ length: fleet.apis }, () => world.startApi(folder)));
  if (load.hasQueue) await fillQueue(world, apis[0] as StartedServer);
  else await collectionOf(world.services.db, submissionResource).deleteMany({ status: 'Queued' });
  // A fleet without a worker leaves what it counted; the next fleet must not pay for it.
  await collectionOf(world.services.db, metricEventsResource).deleteMany({});
  const workers = await Promise.all(
    Array.from({ length: fleet.workers }, () => world.startWorker({ rollsUp: true, folder })),
  );
  try {
    // Processes that have just started are slow, and with four times as many each warms up more slowly.
    await post(world, apis, run, run.seconds);
    const before = await countersOf(world, apis, workers);
    const results = await post(world, apis, run, run.seconds);
    const after = await countersOf(world, apis, workers);
    const posts = results.reduce((sum, each) => sum + each.posts, 0);
    const each = (name: keyof Counters) => (after[name] - before[name]) / posts;
    const commits = after.commits - before.commits;
    return {
      perSecond: posts / run.seconds,
      p50: Math.max(...results.map(({ p50 }) => p50)),
      p99: Math.max(...results.map(({ p99 }) => p99)),
      processorMs: { api: each('apiMs'), worker: each('workerMs'), stores: each('storesMs') },
      retried: (after.retries - before.retries) / commits,
      conflicts: after.conflicts - before.conflicts,
      groupSize: (after.grouped - before.grouped) / (after.groups - before.groups),
      drained: Math.max(0, after.grouped - before.grouped - posts) / run.seconds,
    };
  } finally {
    await Promise.all([...apis, ...workers].map((each) => each.stop()));
  }
}

async function fillQueue(world: BenchWorld, { url }: StartedServer): Promise<void> {
  const missing = queued - (await queuedLeft(world));
  if (missing > 0) await measureAccepted(world, url, missing);
}

/** Posts to all APIs at once. */
function post(world: BenchWorld, apis: readonly StartedServer[], { crowd, isApart }: Run, seconds: number) {
  const crowdOfApi = (place: number) => (isApart ? splitCrowd(crowd, place, apis.length) : crowd);
  return postFromCrowd(world, apis, crowdOfApi, { connections, seconds });
}

/** The round with the median rate. */
function medianOf(rounds: readonly Measured[]): Measured | undefined {
  return [...rounds].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)];
}

function nameOf({ crowd, hasBudget, hasQueue }: Load): string {
  return crowd + (hasBudget ? ', a budget' : '') + (hasQueue ? `, ${queued.toLocaleString('en')} queued` : '');
}

function fleetName({ apis, workers }: Fleet): string {
  return `${apis} + ${workers}`;
}

/** The row of a place. It compares the medians of the other places: those of the fleet 1 + 1, and of the plain load. */
function rowOf({ load, fleet, folder, results }: Place, places: readonly Place[]): string {
  const median = medianOf(results);
  if (!median) return '';
  const { perSecond, p50, p99, processorMs, retried, conflicts, groupSize, drained } = median;
  const { api, worker, stores } = processorMs;
  const ratioTo = (isMeant: (place: Place) => boolean) => {
    const other = medianOf(places.find((each) => each.folder === folder && isMeant(each))?.results ?? []);
    return other ? (perSecond / other.perSecond).toFixed(2) : '';
  };
  const plain = nameOf({ ...load, hasBudget: false, hasQueue: false });
  const cells = [
    nameOf(load),
    fleetName(fleet) + (folder === undefined ? '' : ', other'),
    Math.round(perSecond),
    ratioTo((other) => other.load === load && fleetName(other.fleet) === '1 + 1'),
    ratioTo((other) => nameOf(other.load) === plain && other.fleet === fleet),
    p50,
    p99,
    [api, worker, stores].map((ms) => ms.toFixed(2)).join(', '),
    `${(100 * retried).toFixed(1)} %`,
    conflicts,
    groupSize.toFixed(1),
    Math.round(drained),
  ];
  return `| ${cells.join(' | ')} |`;
}
