import type { mongo } from 'mongoose';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { type BenchWorld, openBenchWorld } from './benchWorld';

const dayMs = 86_400_000;
const connections = 64;

/**
 * The size of a collection in bytes: its documents in BSON, and on disk (compressed) with and without indexes. Space
 * that the database gave up and uses again does not count: how much there is depends on how often it wrote its pages.
 */
interface Size {
  name: string;
  documents: number;
  bson: number;
  data: number;
  indexes: number;
}

/**
 * Measures what an activity costs in storage: posts of three line items each, spread over a year and 1,000 members, one
 * rule in force, rolled up.
 * @returns rows of a table: bytes an activity by collection
 */
export async function measureStorage(posts: number, say: (line: string) => void): Promise<string[]> {
  const world = await openBenchWorld(1);
  const api = await serve(world.services, createApp(world.services));
  try {
    const before = await sizesOf(world);
    await postAll(api.url, world, posts);
    say(`${posts} posted; rolling up`);
    await rollUp(world.services, { org: world.org, now: world.services.clock.now() });
    return tableOf(before, await sizesOf(world), posts);
  } finally {
    await api.close();
    await world.close();
  }
}

async function postAll(url: string, { token, members, services }: BenchWorld, posts: number): Promise<void> {
  const now = services.clock.now().getTime();
  let next = 0;
  const post = async (): Promise<void> => {
    for (let n = next++; n < posts; n = next++) {
      const date = new Date(now - 365 * dayMs + Math.floor((n * 365 * dayMs) / posts));
      const body = JSON.stringify(activityOf(n, date, members[(n * 7919) % members.length]?._id));
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/api/v1/activity`, { method: 'POST', headers, body });
      const { result } = (await answer.json()) as { result: { errors: unknown[] } };
      if (answer.status !== 200 || result.errors.length > 0) throw new Error(`a post was answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, post));
}

function activityOf(n: number, date: Date, memberID: unknown) {
  const lineItems = [1, 2, 3].map((line) => ({
    itemSKU: `SKU-${(n * 31 + line * 17) % 500}`,
    itemPrice: 100 + ((n * line) % 900),
    quantity: line,
  }));
  return { type: 'Accrual', memberID, date, srcChannelType: 'POS', srcChannelID: `S-${n % 40}`, lineItems };
}

const reusable = 'file bytes available for reuse';

async function sizesOf({ services: { db } }: BenchWorld): Promise<Size[]> {
  const admin = db.getClient().db('admin');
  await admin.command({ fsync: 1 });
  const collections = await db.listCollections();
  const sizes = collections.map(async ({ name }) => {
    const [stats] = await db
      .collection(name)
      .aggregate([{ $collStats: { storageStats: {} } }])
      .toArray();
    const { count, size, storageSize, freeStorageSize, totalIndexSize, indexDetails } = stats?.storageStats ?? {};
    const freeInIndexes = Object.values<mongo.Document>(indexDetails ?? {}).map(
      (index) => index['block-manager'][reusable],
    );
    const indexes = totalIndexSize - freeInIndexes.reduce((sum, free) => sum + free, 0);
    return { name, documents: count, bson: size, data: storageSize - freeStorageSize, indexes };
  });
  return Promise.all(sizes);
}

function tableOf(before: readonly Size[], after: readonly Size[], posts: number): string[] {
  const grown = after.map((size) => {
    const old = before.find(({ name }) => name === size.name);
    const by = (key: Exclude<keyof Size, 'name'>) => (size[key] - (old?.[key] ?? 0)) / posts;
    return { ...size, documents: by('documents'), bson: by('bson'), data: by('data'), indexes: by('indexes') };
  });
  const all = grown.reduce(
    (sum, { documents, bson, data, indexes }) => ({
      name: 'all',
      documents: sum.documents + documents,
      bson: sum.bson + bson,
      data: sum.data + data,
      indexes: sum.indexes + indexes,
    }),
    { name: 'all', documents: 0, bson: 0, data: 0, indexes: 0 },
  );
  const rows = [...grown.filter(({ bson, indexes }) => bson >= 0.5 || indexes >= 0.5), all]
    .sort((a, b) => b.data + b.indexes - a.data - a.indexes)
    .map(({ name, documents, bson, data, indexes }) => {
      const [size, disk, index, sum] = [bson, data, indexes, data + indexes].map(Math.round);
      return `| ${name} | ${documents.toFixed(2)} | ${size} | ${disk} | ${index} | ${sum} |`;
    });
  return [
    '| bytes an activity | documents | BSON | data on disk | indexes | on disk |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ];
}
