import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { type BenchWorld, openBenchWorld } from './benchWorld';
import { purchase } from './posts';
import { processorMsOf } from './processorMsOf';
import type { Seconds } from './rate';

/** Posts a second beside which the delay of deliveries is measured. */
const postsPerSecond = 100;

/** A receiver that accepts every event, and remembers how old each was, in milliseconds. */
interface AgeReceiver {
  url: string;
  ages: number[];
  close(): Promise<void>;
}

/**
 * Measures deliveries of webhooks to receivers on this machine, by one worker. First how many a second, from a backlog;
 * then how old events are when they arrive, and how long posts take, while posts go on at a steady rate.
 */
export async function measureWebhooks(backlog: number, seconds: Seconds, say: (line: string) => void) {
  const rows = [
    '| webhooks | deliveries/s, backlog | CPU ms a delivery: worker + mongod | age p50 / p99 ms | posts p50 / p99 ms |',
    '|---|---|---|---|---|',
  ];
  for (const count of [0, 1, 10]) {
    const world = await openBenchWorld();
    const receiver = await openAgeReceiver();
    try {
      say(`${count} webhooks`);
      rows.push(await measure(world, { receiver, count, backlog, seconds }));
    } finally {
      await world.close();
      await receiver.close();
    }
  }
  return rows;
}

interface Measured {
  receiver: AgeReceiver;
  count: number;
  backlog: number;
  seconds: Seconds;
}

async function measure(world: BenchWorld, { receiver, count, backlog, seconds }: Measured): Promise<string> {
  const api = await world.startApi();
  for (let n = 0; n < count; n += 1) await addWebhook(world, api.url, `${receiver.url}/${n}`);
  if (count > 0) await post(world, api.url, { amount: backlog });
  const worker = await world.startWorker({ rollsUp: true });
  const drained = count > 0 ? await drain(world, worker.pid, receiver, backlog * count) : '|';
  await post(world, api.url, { duration: seconds.warmUp, overallRate: postsPerSecond });
  receiver.ages.length = 0;
  const { latency } = await post(world, api.url, { duration: seconds.measured, overallRate: postsPerSecond });
  const ages = [...receiver.ages].sort((a, b) => a - b);
  await worker.stop();
  await api.stop();
  const age = count > 0 ? `${at(ages, 0.5)} / ${at(ages, 0.99)}` : '';
  return `| ${count} | ${drained} | ${age} | ${latency.p50} / ${latency.p99} |`;
}

/** Delivers a backlog. Returns the deliveries a second, and the processor time of each, from the first to the last. */
async function drain({ services }: BenchWorld, worker: number, { ages }: AgeReceiver, total: number): Promise<string> {
  const { pid } = await services.db.getClient().db('admin').command({ serverStatus: 1 });
  while (ages.length === 0) await sleep(10);
  const before = {
    count: ages.length,
    at: performance.now(),
    worker: processorMsOf(worker),
    mongod: processorMsOf(pid),
  };
  while (ages.length < total) await sleep(10);
  const count = total - before.count;
  const each = (ms: number) => (ms / count).toFixed(1);
  const perSecond = (count / (performance.now() - before.at)) * 1000;
  return `${perSecond.toFixed(0)} | ${each(processorMsOf(worker) - before.worker)} + ${each(processorMsOf(pid) - before.mongod)}`;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

function post(world: BenchWorld, url: string, how: Partial<autocannon.Options>): Promise<autocannon.Result> {
  const requests = world.members.map((_member, n) => ({ body: purchase(world, n) }));
  return autocannon({
    url: `${url}/api/v1/activity`,
    connections: 16,
    method: 'POST',
    requests,
    ...how,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
  });
}

async function addWebhook(world: BenchWorld, url: string, receiver: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    body: JSON.stringify({ url: receiver, events: ['points.earned'] }),
  });
  if (response.status !== 201) throw new Error(`webhook: ${response.status} ${await response.text()}`);
}

async function openAgeReceiver(): Promise<AgeReceiver> {
  const ages: number[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const event: { at: string } = JSON.parse(Buffer.concat(chunks).toString());
      ages.push(Date.now() - Date.parse(event.at));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ages,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
