import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { connect } from '#base/db/connect';
import { inFairOrder, type Open } from '#base/db/leases/claimedTurns';
import { createBatchSize } from '#exchange/imports/run/batchSize';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import { reconcile } from '#members/reconcile/reconcile';
import { memberResource } from '#records/members/member';
import { startImportsWorker } from '../../../workers/importsWorker';
import { type MongoProxy, openMongoProxy } from '../../support/mongoProxy';
import { addOrg } from '../../support/server';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
let proxy: MongoProxy;
let proxied: Connection;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  imports = importing(world);
  proxy = await openMongoProxy(world.services.config.MONGODB_URI ?? '');
  proxied = await connect(proxy.uri, { maxPoolSize: 4 });
});
afterEach(() => proxy.admits(() => true));
afterAll(async () => {
  await proxied.destroy();
  await proxy.close();
  await world.close();
});

/** A worker that reaches the store through the proxy. */
const run = () => runNextImport({ ...world.services, db: proxied });
const isInsertOf = (message: Buffer, loyaltyID: string) =>
  ['insert', 'loyaltyIDs', loyaltyID].every((text) => message.includes(text));
const later = (ms: number) =>
  world.services.clock.set(new Date(world.services.clock.now().getTime() + ms).toISOString());
const membersFile = (prefix: string, rows: number) =>
  `loyaltyID,program,balance:Points\n${Array.from({ length: rows }, (_unused, n) => `${prefix}-${n},main,${n + 1}`).join('\n')}`;
const productsFile = (prefix: string, rows: number) =>
  `sku,name\n${Array.from({ length: rows }, (_unused, n) => `${prefix}-${n},Tea`).join('\n')}`;
const statusOf = async (id: string) => (await imports.read(id)).status;

test('an import ends though the store takes only small chunks, and a row that it never takes fails with the reason', async () => {
  const { body } = await imports.post({ kind: 'members', content: membersFile('H', 700) });
  // The store takes no large chunk, and never this row as a member.
  proxy.admits((message) => message.length < 60_000 && !isInsertOf(message, 'H-301'));
  for (let tries = 0; tries < 40 && (await statusOf(body._id)) === 'Running'; tries += 1) {
    await run();
    later(3001);
  }
  const ended = await imports.read(body._id);
  expect(ended).toMatchObject({ status: 'Done', rows: 700, created: 699, failed: 1, attempts: 0 });
  const errors = await world.server.as('admin').get(`/imports/${body._id}/errors`);
  expect(errors.body).toContain('H-301');
  expect(errors.body).toContain('The stores did not take the row in time; import it again');
  expect(await collectionOf(world.services.db, memberResource).countDocuments({ loyaltyID: /^H-/ })).toBe(699);
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
}, 120_000);

test('an import that waits says why and until when, counts no attempt, and stops saying so when it continues', async () => {
  const { body } = await imports.post({ kind: 'members', content: membersFile('A', 20) });
  const shown = async () => (await world.server.as('admin').get(`/imports/${body._id}`)).body;
  let isAway = false;
  // The store goes away when the first row would be written.
  proxy.admits((message) => {
    isAway ||= isInsertOf(message, 'A-1');
    return !isAway;
  });
  await run();
  expect(await shown()).toMatchObject({ status: 'Running', rows: 0 });
  proxy.admits(() => true);
  // The process tells it as soon as it can.
  for (let tries = 0; tries < 20 && !(await shown()).waiting; tries += 1) {
    await run().catch(() => undefined);
    await sleep(100);
  }
  const { waiting, attempts } = { ...(await shown()), attempts: (await imports.read(body._id)).attempts };
  expect(attempts).toBe(0);
  expect(waiting.reason).toBe('The stores are away; the import goes on later');
  expect(Date.parse(waiting.nextTryAt)).toBeGreaterThan(world.services.clock.now().getTime());
  expect(await run()).toBe(false);
  later(3001);
  expect(await run()).toBe(true);
  const ended = await shown();
  expect(ended).toMatchObject({ status: 'Done', created: 20 });
  expect(ended.waiting).toBeUndefined();
}, 60_000);

test('a run that another process took over while its store was frozen counts no attempt, since no process ended', async () => {
  const { body } = await imports.post({ kind: 'members', content: membersFile('F', 20) });
  let isAway = false;
  proxy.admits((message) => {
    isAway ||= isInsertOf(message, 'F-1');
    return !isAway;
  });
  await run();
  const { run: lost } = await imports.read(body._id);
  expect(lost).toBeDefined();
  // What another process stores when it takes over a silent run.
  const taken = { run: new ObjectId(), aliveAt: new Date(), attempts: 1, lostRuns: [lost] };
  await world.services.db.collection('imports').updateOne({ _id: new ObjectId(String(body._id)) }, { $set: taken });
  proxy.admits(() => true);
  for (let tries = 0; tries < 20 && (await imports.read(body._id)).attempts !== 0; tries += 1) {
    await run().catch(() => undefined);
    await sleep(100);
  }
  expect(await imports.read(body._id)).toMatchObject({ status: 'Running', run: taken.run, attempts: 0, lostRuns: [] });
  await world.server.as('admin').post(`/imports/${body._id}/stop`);
}, 60_000);

test('small imports, of the same and of another org, end long before a big one that came first', async () => {
  const other = (await addOrg(world.server)).as('ledger-admin');
  const big = (await imports.post({ kind: 'members', content: membersFile('B', 20_000) })).body._id as string;
  const small = (await imports.post({ kind: 'products', content: productsFile('S', 5) })).body._id as string;
  const theirs = (
    await other.post('/imports?kind=products', undefined, {
      raw: productsFile('O', 5),
      headers: { 'content-type': 'text/csv' },
    })
  ).body._id as string;
  const worker = startImportsWorker(world.services);
  try {
    while ((await statusOf(small)) === 'Running' || (await statusOf(theirs)) === 'Running') await sleep(50);
    const { status, rows } = await imports.read(big);
    expect(status).toBe('Running');
    expect(rows).toBeLessThan(20_000);
    await world.server.as('admin').post(`/imports/${big}/stop`);
  } finally {
    await worker.close();
  }
}, 60_000);

test('while another waits, a big import yields after 10 s, says so, and continues afterwards', async () => {
  const ids: string[] = [];
  for (const prefix of ['U', 'V', 'W'])
    ids.push((await imports.post({ kind: 'members', content: membersFile(prefix, 1600) })).body._id);
  const small = (await imports.post({ kind: 'products', content: productsFile('Y', 5) })).body._id as string;
  const { services } = world;
  let seconds = 0;
  const elapsed = () => seconds * 1000;
  const running = [1, 2, 3].map(() => runNextImport(services, undefined, { elapsed }));
  // Each has written something, within its turn, before the time passes.
  while ((await Promise.all(ids.map(async (id) => (await imports.read(id)).rows))).some((rows) => rows === 0))
    await sleep(5);
  seconds = 10;
  await Promise.race(running);
  const shown = await Promise.all(ids.map(async (id) => (await world.server.as('admin').get(`/imports/${id}`)).body));
  const waits = shown.filter(({ waiting }) => waiting);
  expect(waits.length).toBeGreaterThan(0);
  for (const each of waits) {
    expect(each).toMatchObject({ status: 'Running', waiting: { reason: expect.stringContaining('have their turn') } });
    expect(each.rows).toBeLessThan(1600);
  }
  expect(await runNextImport(services)).toBe(true);
  expect(await statusOf(small)).toBe('Done');
  await Promise.all(running);
  while (await runNextImport(services));
  for (const id of ids) {
    const ended = await imports.read(id);
    expect(ended).toMatchObject({ status: 'Done', rows: 1600, created: 1600, attempts: 0 });
    expect(ended.waiting).toBeUndefined();
  }
}, 60_000);

const now = new Date('2026-05-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const [red, blue] = [new ObjectId(), new ObjectId()];
const open = (org: ObjectId, more: Partial<Open> = {}): Open => ({
  _id: new ObjectId(),
  org,
  isSilent: true,
  ...more,
});

test('orgs take turns, and within an org the import that ran longest ago is next', () => {
  const running = open(red, { run: new ObjectId(), isSilent: false, takenAt: ago(60) });
  const never = open(red);
  const long = open(red, { takenAt: ago(50) });
  const theirs = open(blue, { takenAt: ago(2) });
  const silent = open(blue, { run: new ObjectId(), takenAt: ago(1) });
  const away = open(blue, { waiting: { nextTryAt: new Date(now.getTime() + 1) } });
  const order = inFairOrder([running, never, long, theirs, silent, away], now);
  expect(order).toEqual([theirs, silent, never, long]);
});

test.each([1, 2, 7, 60, 200, 499, 500])(
  'the chunk size finds the limit of a store that takes %i rows, and seldom exceeds it',
  (taken) => {
    const size = createBatchSize(500);
    const tries: boolean[] = [];
    let before: number | undefined;
    for (let n = 0; n < 2000; n += 1) {
      const rows = size.current();
      const fits = rows <= taken;
      // The same size never runs out of time twice, one after the other.
      if (!fits) expect(rows).not.toBe(before);
      before = fits ? undefined : rows;
      tries.push(fits);
      if (fits) size.wasWritten(rows);
      else size.ranOutOfTime(rows);
    }
    expect(tries.filter((fits) => !fits).length).toBeLessThan(50);
    for (let n = 0; n < 1000; n += 1) size.wasWritten(size.current());
    expect(size.current()).toBe(500);
  },
);
