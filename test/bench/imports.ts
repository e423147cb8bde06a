import { loadavg } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import type { Import } from '#exchange/imports/import';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { userResource } from '#records/users/user';
import { makePolicy } from '../support/definitions';
import { type BenchWorld, openBenchWorld } from './benchWorld';
import { memoryMbOf } from './memoryMbOf';
import { rateOf, type Seconds } from './rate';

/** The sizes of files that are measured, as far as they have no more rows than was asked for. */
const sizes = [10_000, 100_000, 1_000_000];

/** The lots of each member: one in each of these purses. */
const purses = ['Points', 'Stars'];

/** Requests by single posts at a time. */
const lanes = 16;

/**
 * Measures imports of members with two accrual items each, from the first byte of the post until the import is done.
 * The worker is a new process for each file, so that its greatest memory is that of one size. Single posts of the same
 * members are measured before and after, on the same stores.
 * @param rowsMax the rows of the largest file
 * @returns the rows of a table
 */
export async function measureImports(rowsMax: number, seconds: Seconds, say: (line: string) => void) {
  const world = await openBenchWorld(0);
  try {
    await prepare(world);
    const api = await world.startApi();
    const single = () => measureSinglePosts(world, api.url, seconds);
    say(`single posts, ${lanes} at a time`);
    const before = await single();
    const measured: Measured[] = [];
    for (const rows of sizes.filter((size) => size <= rowsMax)) {
      say(`importing ${rows} members`);
      measured.push(await measureImport(world, api, rows));
    }
    const posted = (before + (await single())) / 2;
    await api.stop();
    return tableOf(posted, measured);
  } finally {
    await world.close();
  }
}

/** Adds the second purse, and lets the user of the bench give points. */
async function prepare({ services: { db }, org }: BenchWorld): Promise<void> {
  const program = await collectionOf(db, programResource).findOne({ org });
  const policy = await collectionOf(db, pursePolicyResource).findOne({ org });
  if (!program || !policy) throw new Error('the world has a program with a purse');
  await makePolicy(db, { org, userId: policy.createdBy }, program, { name: 'Stars' });
  await collectionOf(db, userResource).updateOne({ org, username: 'admin' }, { $set: { roles: ['ledger-admin'] } });
}

type Api = Pick<Awaited<ReturnType<BenchWorld['startApi']>>, 'url' | 'pid'>;

interface Measured {
  rows: number;
  perSecond: number;
  uploadSeconds: number;
  /** Greatest resident memory of the worker and of the API, in MB. */
  workerMb: number;
  apiMb: number;
  load: number;
}

async function measureImport(world: BenchWorld, { url, pid }: Api, rows: number): Promise<Measured> {
  const worker = await world.startWorker({ rollsUp: true });
  const startedAt = performance.now();
  const { _id } = await request<Pick<Import, '_id'>>(world, `${url}/api/v1/imports?kind=members`, {
    headers: { 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(fileOf(rows))),
    duplex: 'half',
  });
  const uploadSeconds = (performance.now() - startedAt) / 1000;
  const job = await finished(world, `${url}/api/v1/imports/${_id}`);
  const elapsed = (performance.now() - startedAt) / 1000;
  if (job.created !== rows) throw new Error(`the import created ${job.created} of ${rows} members: ${job.error}`);
  const [workerMb, apiMb] = [memoryMbOf(worker.pid, 'peak'), memoryMbOf(pid, 'peak')];
  await worker.stop();
  return { rows, perSecond: rows / elapsed, uploadSeconds, workerMb, apiMb, load: loadavg()[0] ?? 0 };
}

async function finished(world: BenchWorld, url: string): Promise<Import> {
  for (;;) {
    const job = await request<Import>(world, url);
    if (job.status !== 'Running') return job;
    await sleep(100);
  }
}

/** A file with a header, in texts of 1,000 rows. */
function* fileOf(rows: number): Generator<string> {
  yield `loyaltyID,program,firstName,lastName,email,${purses.map((name) => `balance:${name}`).join(',')}\n`;
  const block = 1000;
  for (let start = 0; start < rows; start += block) {
    yield Array.from({ length: Math.min(block, rows - start) }, (_unused, nth) => rowOf(rows, start + nth)).join('');
  }
}

function rowOf(rows: number, n: number): string {
  return `I-${rows}-${n},main,Mei,Lindqvist ${n},mei.${n}@bench.example,${1 + (n % 900)},${1 + (n % 7)}\n`;
}

/** Members with their items a second, by single posts: one of the member, then one of each item. */
async function measureSinglePosts(world: BenchWorld, url: string, seconds: Seconds): Promise<number> {
  const { db } = world.services;
  const program = (await collectionOf(db, programResource).findOne({ org: world.org }))?._id;
  const policies = await collectionOf(db, pursePolicyResource).find({ org: world.org }).toArray();
  let [done, isEnded] = [0, false];
  const post = (path: string, body: object) =>
    request<{ _id: string }>(world, `${url}/api/v1${path}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const lane = async () => {
    while (!isEnded) {
      const { _id: member } = await post('/members', { program, firstName: 'Mei', lastName: 'Lindqvist' });
      for (const { _id: purse } of policies) await post('/accrualitems', { member, purse, accruedPoints: 5 });
      done += 1;
    }
  };
  const all = Promise.all(Array.from({ length: lanes }, lane));
  const { perSecond } = await rateOf(() => done, seconds);
  isEnded = true;
  await all;
  return perSecond;
}

/** Sends a request: a post when it has a body. @throws when the answer is no success */
async function request<T>({ token }: BenchWorld, url: string, sent: RequestInit & { duplex?: 'half' } = {}) {
  const method = sent.body ? 'POST' : 'GET';
  const answer = await fetch(url, { ...sent, method, headers: { ...sent.headers, authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

function tableOf(posted: number, measured: readonly Measured[]): string[] {
  const rows = measured.map(({ rows, perSecond, uploadSeconds, workerMb, apiMb, load }) => {
    const ratio = (perSecond / posted).toFixed(1);
    const [rate, worker, api] = [perSecond, workerMb, apiMb].map(Math.round);
    return `| ${rows} | ${rate} | ${ratio} | ${uploadSeconds.toFixed(1)} | ${worker} | ${api} | ${load.toFixed(1)} |`;
  });
  return [
    '| rows of the file | members with two items a second | ratio to single posts | upload s | worker MB | API MB | load |',
    '|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
    `| single posts, ${lanes} at a time | ${Math.round(posted)} | 1.0 |  |  |  |  |`,
  ];
}
