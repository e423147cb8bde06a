import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import type { ObjectId } from 'bson';
import { createOrg } from '#access/users/createOrg';
import { startSession } from '#access/users/startSession';
import { collectionOf } from '#base/db/collections';
import { isUnreachable } from '#base/db/transaction';
import { type SeedSize, seedOrg } from '#operations/seed/seedOrg';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { eventPageResource } from '#records/events/eventPage';
import { journalResource } from '#records/points/journal';
import type { Org } from '#records/users/org';
import { userResource } from '#records/users/user';
import { benchRules } from './benchRules';
import { type BenchWorld, openBenchWorld, type StartedServer } from './benchWorld';
import { processorMsOf } from './processorMsOf';

/** Connections of the posts that fill an org, and of those beside a reconciliation. */
const connections = { filling: 64, beside: 4 } as const;

/** A seeded org, in which each member has also bought something through the API. */
interface Filled {
  code: string;
  org: ObjectId;
  token: string;
  members: number;
  entries: number;
}

/**
 * Measures `npm run reconcile` with an org of this size, alone and while posts go on. Every member has what the seed makes,
 * and a purchase through the API with all of its aggregates and events.
 * @returns the rows of a table
 * @throws Error when a post fails, or when a difference is found
 */
export async function measureReconcile(size: SeedSize, say: (line: string) => void): Promise<string[]> {
  const world = await openBenchWorld();
  try {
    const rows = [...header];
    const api = await world.startApi();
    const worker = await world.startWorker({ rollsUp: true });
    say(`seeding ${size.members} members with ${size.items} accrual items`);
    const filled = await fill(world, api, 'seed', size);
    await settled(world);
    for (const isBusy of [false, true]) {
      const row = await measureOne(world, api, filled, isBusy);
      say(row);
      rows.push(row);
    }
    await Promise.all([api.stop(), worker.stop()]);
    return rows;
  } finally {
    await world.close();
  }
}

const header = [
  '| members | journal entries | beside it | seconds | processor seconds: command, stores | most memory MB | posts a second beside it | load of the machine |',
  '|---:|---:|---|---:|---|---:|---:|---:|',
];

async function fill(world: BenchWorld, api: StartedServer, code: string, size: SeedSize): Promise<Filled> {
  const { db, clock, ruleSets } = world.services;
  const now = clock.now();
  const username = `${code}-admin`;
  const org = await createOrg(db, { code, admin: { username, password: 'bench password' } }, now);
  await seedDespiteOthers(world, org, size);
  const folder = path.join(world.folder, 'rules', `@${code}`, 'seed');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'rules.json'), JSON.stringify(benchRules(5)));
  const { errors } = await ruleSets.publish(org._id);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const user = await collectionOf(db, userResource).findOne({ username });
  if (!user) throw new Error('the admin of a new org exists');
  const token = await startSession(world.services, user, now, 86_400);
  await post(api, { token, members: size.members }, { connections: connections.filling, amount: size.members });
  const entries = await collectionOf(db, journalResource).countDocuments({ org: org._id });
  return { code, org: org._id, token, members: size.members, entries };
}

/** How often a seed goes on after it was interrupted: on a busy machine connections time out. */
const seedsMax = 20;

async function seedDespiteOthers({ services: { db, clock } }: BenchWorld, org: Org, size: SeedSize): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await seedOrg(db, org, size, clock.now());
      return;
    } catch (error) {
      if (attempt >= seedsMax || !isUnreachable(error)) throw error;
    }
  }
}

/** Waits until all metrics are rolled up and all events have their numbers. */
async function settled({ services: { db } }: BenchWorld): Promise<void> {
  const isLeft = async () =>
    (await collectionOf(db, metricEventsResource).findOne({})) ??
    collectionOf(db, eventPageResource).findOne({ waits: true });
  while (await isLeft()) await new Promise((resolve) => setTimeout(resolve, 500));
}

async function measureOne(world: BenchWorld, api: StartedServer, filled: Filled, isBusy: boolean): Promise<string> {
  const { code, members, entries } = filled;
  const storesMs = () => world.storePids.reduce((sum, pid) => sum + processorMsOf(pid), 0);
  const before = storesMs();
  const running = world.runCommand('reconcile', '--org', code);
  const ended = running.then(() => true);
  let posts = 0;
  // A short round after the other, because nobody knows how long it takes.
  while (isBusy && !(await Promise.race([ended, Promise.resolve(false)])))
    posts += await post(api, filled, { connections: connections.beside, duration: 2 });
  const { code: exit, lastLine, ms, maxMb, processorMs } = await running;
  const processor = [processorMs, storesMs() - before].map((each) => Math.round(each / 1000)).join(', ');
  if (exit !== 0) throw new Error(lastLine);
  const beside = isBusy ? Math.round(posts / (ms / 1000)) : '';
  const load = loadavg()[0]?.toFixed(1);
  return `| ${members} | ${entries} | ${isBusy ? 'posts' : 'nothing'} | ${(ms / 1000).toFixed(1)} | ${processor} | ${Math.round(maxMb)} | ${beside} | ${load} |`;
}

/** Posts purchases of random members, and returns how many. */
async function post(
  { url }: StartedServer,
  { token, members }: Pick<Filled, 'token' | 'members'>,
  how: { connections: number; amount?: number; duration?: number },
): Promise<number> {
  let next = 0;
  const body = () => {
    const loyaltyID = `SEED-${next % members}`;
    const externalTxnId = `${loyaltyID} ${Math.random()}`;
    next += 1;
    return JSON.stringify({
      type: 'Accrual',
      loyaltyID,
      externalTxnId,
      srcChannelType: 'POS',
      currencyCode: 'USD',
      value: 100,
    });
  };
  const { requests, non2xx, errors, timeouts } = await autocannon({
    ...how,
    url: `${url}/api/v1/activity`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
  });
  if (non2xx + errors + timeouts > 0) throw new Error(`${non2xx + errors + timeouts} posts failed`);
  return requests.total;
}
