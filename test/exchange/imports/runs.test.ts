import { ObjectId } from 'bson';
import { failure } from '#base/common/failure';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { importChunkResource } from '#exchange/imports/file/importFiles';
import { runImport } from '#exchange/imports/run/runImport';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import { reconcile } from '#members/reconcile/reconcile';
import { memberResource } from '#records/members/member';
import { addOrg } from '../../support/server';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  imports = importing(world);
});
afterAll(() => world.close());

const fileOf = (prefix: string, rows: number) =>
  `loyaltyID,program,balance:Points\n${Array.from({ length: rows }, (_unused, n) => `${prefix}-${n},main,${n + 1}`).join('\n')}`;
const begin = async (prefix: string, rows: number) =>
  (await imports.post({ kind: 'members', content: fileOf(prefix, rows) })).body._id as string;
const members = (prefix: string) =>
  collectionOf(world.services.db, memberResource).countDocuments({ loyaltyID: new RegExp(`^${prefix}-`) });
const services = () => world.services;

test('an import shows its progress from the start, and two workers run it once', async () => {
  const id = await begin('W', 1200);
  const shown = await world.server.as('admin').get(`/imports/${id}`);
  expect(shown.body).toMatchObject({ status: 'Running', rows: 0, created: 0, kind: 'members', dryRun: false });
  expect(await Promise.all([imports.run(), imports.run(), imports.run()])).toContain(true);
  const { body } = await world.server.as('admin').get(`/imports/${id}`);
  expect(body).toMatchObject({ status: 'Done', rows: 1200, created: 1200, failed: 0, bytesRead: body.bytes });
  expect(await members('W')).toBe(1200);
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
});

test('a stopped import writes no more, and its file is deleted', async () => {
  const id = await begin('S', 3);
  const stopped = await world.server.as('admin').post(`/imports/${id}/stop`);
  expect([stopped.status, stopped.body.status]).toEqual([200, 'Stopped']);
  expect(await imports.run()).toBe(false);
  expect(await members('S')).toBe(0);
  expect(await collectionOf(world.services.db, importChunkResource).countDocuments({ import: new ObjectId(id) })).toBe(
    0,
  );
  expect((await world.server.as('admin').post(`/imports/${id}/stop`)).body.status).toBe('Stopped');
});

test('a run that was stopped or taken over commits nothing more', async () => {
  const id = await begin('T', 600);
  const job = await imports.read(id);
  const { body } = await world.server.as('admin').get(`/imports/${id}`);
  expect(body.status).toBe('Running');
  await expect(runImport(services(), { ...job, run: new ObjectId() })).rejects.toMatchObject({ name: 'RunEnded' });
  expect(await members('T')).toBe(0);
  await imports.run();
  expect(await imports.read(id)).toMatchObject({ status: 'Done', created: 600 });
});

test.each([
  ['new products', 'products', 'sku,name\nN-1,Tea\nN-2,Tea\n', { created: 2, updated: 0 }],
  ['changed products', 'products', 'sku,name\nN-1,Green tea\nN-2,Tea\n', { created: 0, updated: 1, unchanged: 1 }],
  [
    'changed members',
    'members',
    'loyaltyID,program,firstName\nT-0,main,Mei\nT-1,main,\n',
    { updated: 1, unchanged: 1 },
  ],
])('%s are written and counted in one transaction, or not at all', async (_what, kind, content, counts) => {
  const stored = () => world.services.db.collection(kind).find().sort({ _id: 1 }).toArray();
  const { body } = await imports.post({ kind, content });
  const before = await stored();
  const lost = { ...(await imports.read(body._id)), run: new ObjectId() };
  await expect(runImport(services(), lost)).rejects.toMatchObject({ name: 'RunEnded' });
  expect(await stored()).toEqual(before);
  await imports.run();
  expect(await imports.read(body._id)).toMatchObject({ status: 'Done', rows: 2, failed: 0, ...counts });
  expect(await stored()).not.toEqual(before);
});

test('a file that changes more members than one transaction may changes all of them', async () => {
  const changed = `loyaltyID,program,lastName\n${Array.from({ length: 120 }, (_unused, n) => `T-${n},main,Lee`).join('\n')}`;
  const { counts } = await imports.imported({ kind: 'members', content: changed });
  expect(counts).toEqual({ rows: 120, created: 0, updated: 120, unchanged: 0, failed: 0 });
  const changes = { loyaltyID: /^T-/, lastName: 'Lee' };
  expect(await collectionOf(world.services.db, memberResource).countDocuments(changes)).toBe(120);
});

test('a worker that closes leaves its import to the next one, which continues at once', async () => {
  const id = await begin('C', 700);
  const closing = new AbortController();
  closing.abort();
  await runNextImport(services(), closing.signal);
  expect(await imports.read(id)).toMatchObject({ status: 'Running', attempts: 0 });
  await imports.run();
  expect(await imports.read(id)).toMatchObject({ status: 'Done', created: 700 });
});

test('a silent run is continued after 10 s, from the row that it reached', async () => {
  const id = await begin('K', 1100);
  const _id = new ObjectId(id);
  const jobs = world.services.db.collection('imports');
  // A run that was killed after its first batch.
  const run = new ObjectId();
  await jobs.updateOne({ _id }, { $set: { run, aliveAt: new Date() } });
  const first = fileOf('K', 500);
  const small = await imports.imported({ kind: 'members', content: first });
  expect(small.counts).toMatchObject({ created: 500 });
  await jobs.updateOne({ _id }, { $set: { rows: 500, created: 500 } });
  expect(await imports.run()).toBe(false);
  await jobs.updateOne({ _id }, { $set: { aliveAt: new Date(Date.now() - 10_001) } });
  expect(await imports.run()).toBe(true);
  expect(await imports.read(id)).toMatchObject({ status: 'Done', rows: 1100, created: 1100, unchanged: 0 });
  expect(await members('K')).toBe(1100);
});

test('an import whose process always ends fails after some runs', async () => {
  const id = await begin('E', 1);
  await world.services.db.collection('imports').updateOne({ _id: new ObjectId(id) }, { $set: { attempts: 5 } });
  await imports.run();
  expect(await imports.read(id)).toMatchObject({
    status: 'Failed',
    ...failure(message('imports.processEnded', { row: 1 })),
  });
});

test('an import that fails through a fault of the service names the class of the error and the row, in any language', async () => {
  const id = await begin('B', 1);
  await world.services.db.collection('imports').updateOne({ _id: new ObjectId(id) }, { $set: { granted: 7 } });
  await imports.run();
  const { body } = await world.server.as('admin').get(`/imports/${id}`);
  const error = message('words.errorName', { error: 'TypeError' });
  expect(body).toMatchObject({ status: 'Failed', ...failure(message('imports.failedAtRow', { error, row: 1 })) });
  expect(body.error).toBe('TypeError at row 1 or later');
});

test('an import of another org is not found', async () => {
  const id = await begin('O', 1);
  const other = (await addOrg(world.server)).as('ledger-admin');
  for (const answer of [
    other.get(`/imports/${id}`),
    other.get(`/imports/${id}/errors`),
    other.post(`/imports/${id}/stop`),
  ]) {
    expect((await answer).status).toBe(404);
  }
  await imports.run();
});
