import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { reconcile } from '#members/reconcile/reconcile';
import { appliedMigrations } from '#operations/migrations/applied';
import { migrations } from '#operations/migrations/list';
import { serve } from '#server/serve';
import type { Services } from '#server/services/services';
import { type Client, client } from '../../support/client';
import { makeTestUser } from '../../support/services';
import { type LoadedStore, loadStore } from './loadStore';

/** What an earlier version left (docs/design/upgrades.md): the store of commit 43820b8, and traces of still earlier ones. */
let loaded: LoadedStore;
let services: Services;
let api: Awaited<ReturnType<typeof serve>>;
let asClient: Client;
beforeAll(async () => {
  loaded = await loadStore('43820b8');
  await leaveTraces();
  services = await loaded.open();
  await services.db.db?.admin().command({ setParameter: 1, ttlMonitorEnabled: false });
  api = await serve(services);
  const [member] = await membersOf(Object.keys(loaded.stored.points));
  const user = await makeTestUser(services, { _id: member?.org }, 'client@upgraded', ['client']);
  asClient = client(api.url, user.token);
});
afterAll(async () => {
  await api.close();
  await services.close();
  await loaded.close();
});

const membersOf = (ids: string[]) =>
  services.db
    .collection('members')
    .find({ $expr: { $in: [{ $toString: '$_id' }, ids] } })
    .toArray();

/** Early versions had leases under other names, lanes instead of partitions, and members without keys. */
async function leaveTraces(): Promise<void> {
  const { db } = loaded;
  await db.collection('turns').insertOne({ owner: 'somebody' });
  await db.collection('lanes').insertOne({ lane: 1 });
  await db.collection('submissions').updateMany({ status: 'Queued' }, { $rename: { partition: 'lane' } });
  await db.collection('members').updateMany({}, { $unset: { searchKeys: '' } });
}

async function mismatches(): Promise<unknown[]> {
  const found: unknown[] = [];
  await reconcile(services, { onMismatch: (mismatch) => found.push(mismatch) });
  return found;
}

test('the start of this version has run every migration', async () => {
  const applied = await appliedMigrations(services.db);
  expect(applied.map(({ _id, finishedAt }) => [_id, finishedAt !== undefined])).toEqual(
    migrations.map(({ number }) => [number, true]),
  );
  const names = (await services.db.listCollections()).map(({ name }) => name);
  expect(names.filter((name) => ['turns', 'lanes'].includes(name))).toEqual([]);
});

test('every member keeps its points, and reconcile finds nothing', async () => {
  const { points } = loaded.stored;
  expect(Object.keys(points).length).toBeGreaterThan(8);
  for (const [id, purses] of Object.entries(points)) {
    const { status, body } = await asClient.get(`/members/${id}/purses`);
    expect(status === 200 ? body : status).toEqual(purses);
  }
  expect(await mismatches()).toEqual([]);
});

test('members are found, by the keys that a migration gave them', async () => {
  const { body } = await asClient.get('/members?search=moller&limit=20');
  const before = loaded.stored.collections.members?.documents ?? [];
  const named = before.filter(({ lastName, status }) => lastName === 'Møller' && status !== 'Merged');
  expect(body.map(({ _id }: { _id: string }) => _id).sort()).toEqual(named.map(({ _id }) => `${_id}`).sort());
  const keyed = await services.db.collection('members').find().sort({ _id: 1 }).toArray();
  const keysBefore = new Map(before.map(({ _id, searchKeys }) => [`${_id}`, searchKeys]));
  for (const { _id, status, searchKeys, mergeIds } of keyed) {
    if (status === 'Merged' || status === 'Erased') continue;
    // A member that can be found has the keys of before; a survivor has those of who was merged into it, too.
    const before = keysBefore.get(`${_id}`);
    expect(searchKeys).toEqual(mergeIds.length > 0 ? expect.arrayContaining(before) : before);
  }
});

test('queued activities are processed, and new ones too', async () => {
  const { db } = services;
  const queued = await db.collection('submissions').find({ status: 'Queued' }).toArray();
  expect(queued.length).toBe(2);
  const inbox = createInboxDrain(services);
  expect(await inbox.drain()).toEqual({ processed: queued.length });
  await inbox.close();
  const ids = queued.map(({ _id }) => _id);
  const histories = await db
    .collection('activityhistories')
    .find({ _id: { $in: ids } })
    .toArray();
  expect(histories.map(({ status }) => status)).toEqual(['Processed', 'Processed']);
  const memberID = `${histories[0]?.memberID ?? histories[0]?.member}`;
  const { status, body } = await asClient.post('/activity', { type: 'Accrual', memberID, value: 30 });
  expect([status, body.result?.data.status]).toEqual([200, 'Processed']);
  expect(await mismatches()).toEqual([]);
});

test('merged members have no personal data', async () => {
  const merged = await services.db.collection('members').find({ status: 'Merged' }).toArray();
  expect(merged.length).toBeGreaterThan(0);
  for (const each of merged)
    for (const field of ['firstName', 'lastName', 'email', 'phone', 'birthDate', 'address', 'ext'])
      expect(each).not.toHaveProperty(field);
});

test('a second start has nothing to do', async () => {
  const before = await appliedMigrations(services.db);
  const again = await loaded.open();
  await again.close();
  expect(await appliedMigrations(services.db)).toEqual(before);
});
