import { collectionOf } from '../../src/db/collections';
import { reconcile } from '../../src/reconcile/reconcile';
import { memberResource } from '../../src/records/members/member';
import { journalResource } from '../../src/records/points/journal';
import { importing } from '../imports/importing';
import { startProcess } from '../support/processes';
import { openWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }, { name: 'Stars' }] });
});
afterAll(() => world.close());

const rows = 6000;
const kills = process.env.FAULTS === 'full' ? 5 : 1;

test('an import whose worker is killed goes on in another one, and each row takes effect once', async () => {
  const { services } = world;
  const lines = Array.from({ length: rows }, (_unused, n) => `K-${n},main,${n + 1},${n % 7}`);
  const content = ['loyaltyID,program,balance:Points,balance:Stars', ...lines].join('\n');
  const imports = importing(world);
  const { body } = await imports.post({ kind: 'members', content });
  const isPast = async (count: number) => (await imports.read(body._id)).rows >= count;
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = await startProcess('workers/main.ts', services.config);
    const { rows: before } = await imports.read(body._id);
    await until(() => isPast(Math.min(before + 500, rows)));
    await worker.kill();
  }
  const worker = await startProcess('workers/main.ts', services.config);
  await until(async () => (await imports.read(body._id)).status !== 'Running');
  await worker.stop();
  const job = await imports.read(body._id);
  expect(job).toMatchObject({ status: 'Done', rows, created: rows, unchanged: 0, updated: 0, failed: 0 });
  expect(await collectionOf(services.db, memberResource).countDocuments({ loyaltyID: /^K-/ })).toBe(rows);
  const sum = [{ $group: { _id: null, points: { $sum: '$points' } } }];
  const [journal] = await collectionOf(services.db, journalResource).aggregate<{ points: number }>(sum).toArray();
  const expected = Array.from({ length: rows }, (_unused, n) => n + 1 + (n % 7)).reduce((a, b) => a + b, 0);
  expect(journal?.points).toBe(expected);
  expect(await reconcile(services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
