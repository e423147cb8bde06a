import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import {
  createRecordLeases,
  type RecordRead,
  recordLeaseLimits,
  recordLeaseResource,
} from '#activities/pipeline/recordLeases';
import { elapsedMs } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

const memberAt = (version: number, _id = new ObjectId()): RecordRead => ({ _id, version });
const changed = ({ _id, version = 0 }: RecordRead): RecordRead => ({ _id, version: version + 1 });

/** A process that knows by a conflict that these members are busy. */
async function processThatKnows(members: readonly RecordRead[]) {
  const open = createRecordLeases(services.db);
  const lease = open();
  lease.noteConflict(members);
  expect(await lease.take(members.map(changed))).toBe(true);
  await lease.end();
  return open;
}

const holders = async (members: readonly RecordRead[]) => {
  const ids = members.map(({ _id }) => _id);
  const found = await collectionOf(services.db, recordLeaseResource)
    .find({ _id: { $in: ids }, until: { $gt: new Date() } }, readLocal)
    .toArray();
  return new Set(found.map(({ holder }) => holder)).size;
};

test('only members whose version another process has changed are leased after a conflict', async () => {
  const members = [memberAt(1), memberAt(5), memberAt(9)];
  const lease = createRecordLeases(services.db)();
  expect(await lease.take(members)).toBe(false);
  lease.noteConflict(members);
  const [first, ...others] = members as [RecordRead, RecordRead, RecordRead];
  expect(await lease.take([changed(first), ...others])).toBe(true);
  const leased = await collectionOf(services.db, recordLeaseResource)
    .find({ _id: { $in: members.map(({ _id }) => _id) } }, readLocal)
    .toArray();
  expect(leased.map(({ _id }) => _id)).toEqual([first._id]);
  await lease.end();
});

test('a conflict about another record leases no member', async () => {
  const members = [memberAt(1), memberAt(2)];
  const lease = createRecordLeases(services.db)();
  lease.noteConflict(members);
  expect(await lease.take(members)).toBe(false);
});

test('a retry keeps its leases, and takes those of members that changed since', async () => {
  const members = [memberAt(1), memberAt(1)];
  const [first, second] = members as [RecordRead, RecordRead];
  const lease = createRecordLeases(services.db)();
  lease.noteConflict(members);
  expect(await lease.take([changed(first), second])).toBe(true);
  lease.noteConflict([changed(first), second]);
  expect(await lease.take([changed(first), second])).toBe(false);
  lease.noteConflict([changed(first), second]);
  expect(await lease.take([changed(first), changed(second)])).toBe(true);
  expect(
    await collectionOf(services.db, recordLeaseResource).countDocuments(
      { _id: { $in: [first._id, second._id] } },
      readLocal,
    ),
  ).toBe(2);
  await lease.end();
  expect(await holders(members)).toBe(0);
});

test('a waiting process gets the lease before the process that had it', async () => {
  const members = [memberAt(1), memberAt(1)];
  const [quick, slow] = [await processThatKnows(members), await processThatKnows(members)];
  const order: string[] = [];
  const first = quick();
  await first.take(members);
  const waiting = slow();
  const waited = waiting.take(members).then(() => order.push('waiting'));
  // It has tried once, so it is the next.
  const isNext = { _id: members[0]?._id, next: { $exists: true } };
  while (!(await collectionOf(services.db, recordLeaseResource).findOne(isNext as object, readLocal)));
  await first.end();
  const again = quick();
  const retaken = again.take(members).then(() => order.push('again'));
  await waited;
  expect(order).toEqual(['waiting']);
  await waiting.end();
  await retaken;
  expect(order).toEqual(['waiting', 'again']);
  await again.end();
});

test('several processes that take many leases at once soon get them one after the other', async () => {
  const members = Array.from({ length: 60 }, () => memberAt(1));
  const processes = await Promise.all([1, 2, 3, 4].map(() => processThatKnows(members)));
  const worked: { from: number; to: number }[] = [];
  const startedAt = elapsedMs();
  const rounds = processes.map(async (open, n) => {
    for (let round = 0; round < 5; round += 1) {
      const lease = open();
      const askedAt = elapsedMs();
      // Each works on most of them, from another place on.
      await lease.take([...members.slice(n * 5), ...members.slice(0, n * 5)].slice(0, 50));
      const from = elapsedMs();
      await new Promise((resolve) => setTimeout(resolve, 2));
      const to = elapsedMs();
      // On a very slow machine leases run out, or it goes on without them.
      if (to - askedAt < recordLeaseLimits.lastsMs) worked.push({ from, to });
      await lease.end();
    }
  });
  await Promise.all(rounds);
  worked.sort((one, other) => one.from - other.from);
  const overlapping = worked.filter(({ from }, n) => n > 0 && from < (worked[n - 1]?.to ?? 0));
  expect([worked.length > 0, overlapping]).toEqual([true, []]);
  expect(elapsedMs() - startedAt).toBeLessThan(20 * recordLeaseLimits.waitMs);
});

test('a record stays busy while another process has its lease', async () => {
  const members = [memberAt(1)];
  const rememberedMs = 1000;
  const open = createRecordLeases(services.db, rememberedMs);
  const other = (await processThatKnows(members))();
  const lease = open();
  lease.noteConflict(members);
  const conflictAt = elapsedMs();
  await other.take(members);
  const taking = lease.take(members.map(changed));
  while (elapsedMs() - conflictAt < rememberedMs / 2) await sleep(10);
  await other.end();
  await taking;
  await lease.end();
  while (elapsedMs() - conflictAt < rememberedMs * 1.1) await sleep(10);
  expect(open().lacks(members)).toBe(true);
});

test('a lease lasts as long as its batch works', async () => {
  const members = [memberAt(1)];
  const lease = (await processThatKnows(members))();
  await lease.take(members);
  const takenAt = elapsedMs();
  while (elapsedMs() - takenAt < recordLeaseLimits.lastsMs * 1.5) await sleep(10);
  expect(await holders(members)).toBe(1);
  await lease.end();
  expect(await holders(members)).toBe(0);
});

test('a killed holder delays others for a second at most, and a killed waiter not at all', async () => {
  const members = [memberAt(1)];
  const other = await processThatKnows(members);
  const killed = { holder: 'killed', until: { $add: ['$$NOW', recordLeaseLimits.lastsMs] } };
  await collectionOf(services.db, recordLeaseResource).updateOne(
    { _id: members[0]?._id as ObjectId },
    [{ $set: killed }],
    { upsert: true },
  );
  const startedAt = elapsedMs();
  const lease = other();
  await lease.take(members);
  expect(elapsedMs() - startedAt).toBeGreaterThan(recordLeaseLimits.lastsMs / 2);
  expect(await holders(members)).toBe(1);
  await lease.end();
  expect(await holders(members)).toBe(0);
});

test('a process waits for a lease of its own that has ended while another process is next', async () => {
  const members = [memberAt(1)];
  const open = await processThatKnows(members);
  const ended = open();
  await ended.take(members);
  const nextMs = 400;
  const next = { next: 'another', nextUntil: { $add: ['$$NOW', nextMs] } };
  await collectionOf(services.db, recordLeaseResource).updateOne({ _id: members[0]?._id as ObjectId }, [
    { $set: { until: { $subtract: ['$$NOW', 1] }, ...next } },
  ]);
  const startedAt = elapsedMs();
  const lease = open();
  await lease.take(members);
  expect(elapsedMs() - startedAt).toBeGreaterThan(nextMs / 2);
  expect(await holders(members)).toBe(1);
  await Promise.all([ended.end(), lease.end()]);
});
