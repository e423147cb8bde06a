import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { EJSON } from 'bson';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { sweepDue } from '#members/memberState/sweepDue';
import { fillDemo } from '#operations/demo/fillDemo';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import { activityApi } from '../../activities/activityApi';
import type { Client } from '../../support/client';
import { makeDataFolder } from '../../support/dataFolder';
import { embeddedOptions } from '../../support/embeddedOptions';
import type { Rich } from '../../support/richRecords';
import { makeRich } from '../../support/richWorld';
import { addOrg } from '../../support/server';
import type { World } from '../../support/world';

/**
 * Writes a store as this commit leaves it into a file: an org with a record of every kind and every field, and the demo
 * program with members who earned, spent, cancelled, merged and were erased, and activities that still wait. Run it in
 * a checkout of the commit whose store a test of upgrades begins with; `stores.md` has the command.
 */
async function makeStore(file: string): Promise<void> {
  const dataDir = makeDataFolder('loyalty-store-');
  const stores = await startEmbedded(embeddedOptions(dataDir));
  process.env.TEST_MONGODB_URI = stores.mongodbUri;
  process.env.TEST_REDIS_URL = stores.redisUrl;
  const { world, rich } = await makeRich();
  try {
    for (const record of rich.values()) await makeRecord(world.server.as('ledger-admin'), record);
    const demo = await openDemo(world);
    await act(world, demo);
    const points = await pointsOf(demo);
    const text = EJSON.stringify({ madeAt: world.services.clock.now(), points, collections: await contents(world) });
    writeFileSync(file, gzipSync(text, { level: 9 }));
  } finally {
    await world.close();
    await stores.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function makeRecord(admin: Client, { path: place, fields, fixed = {}, secret = {} }: Rich): Promise<void> {
  const values = Object.entries({ ...fields, ...secret }).map(([name, [value]]) => [name, value]);
  await requestOf(admin.post(`/${place}`, { ...Object.fromEntries(values), ...fixed }), 201);
}

type Demo = Awaited<ReturnType<typeof openDemo>>;

async function openDemo({ server, rulesDir }: World) {
  const own = await addOrg(server);
  const { org } = own.services;
  cpSync(path.resolve(__dirname, '../../../rules/demo'), path.join(rulesDir, `@${org.code}`, 'demo'), {
    recursive: true,
  });
  await fillDemo(own.services, org);
  const { errors } = await own.services.ruleSets.publish(org._id);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return own;
}

/** Half a year of activities of the demo's members. */
async function act(world: World, demo: Demo): Promise<void> {
  const client = demo.as('client');
  const { clock } = demo.services;
  const [{ _id: program }] = await requestOf(client.get('/programs'), 200);
  for (let more = 1; more <= 8; more += 1) {
    const names = { firstName: `Ana ${more}`, lastName: 'Møller', email: `ana${more}@example.org` };
    await requestOf(client.post('/members', { program, loyaltyID: `S-${more}`, ...names }), 201);
  }
  const members = await requestOf(client.get('/members?limit=20&sort=loyaltyID'), 200);
  const post = (body: object, query = '') => client.post(`/activity${query}`, body);
  let n = 0;
  for (let month = 0; month < 6; month += 1) {
    clock.set(`2026-0${month + 2}-10T12:00:00.000Z`);
    for (const { _id: memberID } of members) {
      n += 1;
      const earn = { type: 'Accrual', memberID, value: 40 + ((n * 37) % 300), externalTxnId: `till-${n}` };
      const { activityId } = (await requestOf(post({ ...earn, srcChannelType: 'POS', lineItems: lines(n) }), 200))
        .result.data;
      if (n % 4 === 0) await requestOf(post({ type: 'Redemption', memberID, value: 10 }), 200);
      if (n % 5 === 0)
        await requestOf(client.post(`/activity/${activityId}/cancel`, n % 10 === 0 ? { value: 5 } : {}), 200);
    }
    await rollUp(demo.services, { org: demo.services.org._id, now: clock.now() });
    await sweepDue(demo.services, { org: demo.services.org._id, now: clock.now() });
  }
  const [first, second, third, fourth] = members;
  const admin = demo.as('ledger-admin');
  await requestOf(admin.post(`/members/${first._id}/merge`, { memberIds: [second._id] }), 200);
  await requestOf(admin.delete(`/members/${third._id}`), 204);
  for (let later = 1; later <= 5; later += 1) {
    const body = { type: 'Accrual', memberID: fourth._id, value: 10 * later, externalTxnId: `later-${later}` };
    await requestOf(post(body, '?async=true'), 202);
    if (later === 3) await activityApi(world).drain();
  }
}

const lines = (n: number) =>
  Array.from({ length: 1 + (n % 3) }, (_, line) => ({
    itemSKU: `SKU-${(n + line) % 9}`,
    quantity: 1 + line,
    itemAmount: 9,
  }));

/** The purses of every member, as answers show them. */
async function pointsOf(demo: Demo): Promise<Record<string, unknown>> {
  const client = demo.as('client');
  const members: { _id: string }[] = await requestOf(client.get('/members?limit=100'), 200);
  const all = members.map(async ({ _id }) => {
    const { status, body } = await client.get(`/members/${_id}/purses`);
    return [_id, status === 200 ? body : status] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

async function contents({ services: { db } }: World): Promise<Record<string, unknown>> {
  const names = (await db.listCollections()).map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  const found = names.sort().map(async (name) => {
    const collection = db.collection(name);
    const [documents, indexes] = await Promise.all([collection.find().toArray(), collection.indexes()]);
    return [name, { documents, indexes }] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

async function requestOf(answer: ReturnType<Client['get']>, wanted: number) {
  const { status, body } = await answer;
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${JSON.stringify(body)}`);
  return body;
}

makeStore(path.resolve(process.argv[2] ?? '')).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
