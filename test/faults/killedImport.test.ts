import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { productResource } from '#records/catalog/product';
import { memberResource } from '#records/members/member';
import { journalResource } from '#records/points/journal';
import { auditResource } from '#records/users/auditEntry';
import { importing } from '../exchange/imports/importing';
import { startProcess } from '../support/processes';
import { openWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }, { name: 'Stars' }] });
});
afterAll(() => world.close());

const rows = 3000;
const kills = process.env.FAULTS === 'full' ? 5 : 1;

/** Imports a file with a worker that is killed after each step of rows, then with one that lives. */
async function importedByKilled(kind: string, content: string, step: number) {
  const { services } = world;
  const imports = importing(world);
  const { body } = await imports.post({ kind, content });
  const job = () => imports.read(body._id);
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = await startProcess('workers/main.ts', services.config);
    const { rows: before } = await job();
    await until(async () => (await job()).rows >= before + step || (await job()).status !== 'Running');
    await worker.kill();
  }
  const worker = await startProcess('workers/main.ts', services.config);
  await until(async () => (await job()).status !== 'Running');
  await worker.stop();
  const { status, rows, created, updated, unchanged, failed } = await job();
  return { status, rows, created, updated, unchanged, failed };
}

const allCreated = (rows: number) => ({ status: 'Done', rows, created: rows, updated: 0, unchanged: 0, failed: 0 });

test('an import continues in another worker when its own is killed, and each row takes effect once', async () => {
  const { services } = world;
  const lines = Array.from({ length: rows }, (_unused, n) => `K-${n},main,${n + 1},${n % 7}`);
  const content = ['loyaltyID,program,balance:Points,balance:Stars', ...lines].join('\n');
  expect(await importedByKilled('members', content, 500)).toEqual(allCreated(rows));
  expect(await collectionOf(services.db, memberResource).countDocuments({ loyaltyID: /^K-/ })).toBe(rows);
  const sum = [{ $group: { _id: null, points: { $sum: '$points' } } }];
  const [journal] = await collectionOf(services.db, journalResource).aggregate<{ points: number }>(sum).toArray();
  const expected = Array.from({ length: rows }, (_unused, n) => n + 1 + (n % 7)).reduce((a, b) => a + b, 0);
  expect(journal?.points).toBe(expected);
  expect(await reconcile(services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
});

test('rows that are written as by single requests are counted as what they did, also those of a killed worker', async () => {
  const { db } = world.services;
  const lines = Array.from({ length: 300 }, (_unused, n) => `K-${n},Tea ${n}`);
  expect(await importedByKilled('products', ['sku,name', ...lines].join('\n'), 50)).toEqual(allCreated(300));
  expect(await collectionOf(db, productResource).countDocuments({})).toBe(300);
  const entries = { resource: productResource.path, action: 'create' };
  expect(await collectionOf(db, auditResource).countDocuments(entries)).toBe(300);
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
