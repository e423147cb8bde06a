import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from 'mongoose';
import { defineLeases, isAlive, isOver, keepLease } from '#base/db/leases/lease';
import { LockLost, lockHolder, lockLimits, taken, withLock } from '#base/db/leases/locks';
import { openTestServer } from '../../../support/server';
import { until } from '../../../support/until';

interface Room {
  _id: string;
  owner?: string;
  until?: Date;
  aliveAt?: Date;
  note?: string;
}

let server: Awaited<ReturnType<typeof openTestServer>>;
let rooms: Collection<Room>;
beforeAll(async () => {
  server = await openTestServer();
  rooms = server.services.db.collection<Room>('rooms');
});
afterAll(() => server.close());

const leases = defineLeases({ holder: 'owner', until: 'until', lastsMs: 60_000, renewedEveryMs: 1000 });
const take = async (_id: string, owner: string) =>
  (await rooms.updateOne({ _id, ...leases.free }, leases.taken(owner))).matchedCount === 1;
const ago = (ms: number) => new Date(Date.now() - ms);

test('of many processes that take a free lease at once, one gets it, for the time that it lasts', async () => {
  await rooms.insertOne({ _id: 'many' });
  const before = Date.now();
  const won = await Promise.all(Array.from({ length: 20 }, (_unused, n) => take('many', `process ${n}`)));
  expect(won.filter(Boolean)).toHaveLength(1);
  const room = await rooms.findOne({ _id: 'many' });
  expect(room?.owner).toBe(`process ${won.indexOf(true)}`);
  const lastsMs = Number(room?.until) - before;
  expect(lastsMs).toBeGreaterThanOrEqual(60_000 - 1000);
  expect(lastsMs).toBeLessThan(120_000);
});

test('a lease that has ended can be taken, and its old holder cannot renew it any more', async () => {
  await rooms.insertOne({ _id: 'ended', owner: 'first', until: ago(1) });
  const renew = async (owner: string) =>
    (await rooms.updateOne({ _id: 'ended', owner }, leases.renewed({ note: '$owner' }))).matchedCount === 1;
  expect([await renew('first'), await take('ended', 'second')]).toEqual([true, false]);
  expect((await rooms.findOne({ _id: 'ended' }))?.note).toBe('$owner');
  await rooms.updateOne({ _id: 'ended' }, { $set: { until: ago(1) } });
  expect([await take('ended', 'second'), await renew('first'), await renew('second')]).toEqual([true, false, true]);
});

test('work is silent some time after its last sign of life, and before its first', async () => {
  await rooms.insertMany([{ _id: 'never' }, { _id: 'silent', aliveAt: ago(2000) }, { _id: 'alive' }]);
  await rooms.updateOne({ _id: 'alive' }, isAlive);
  const among = { _id: { $in: ['never', 'silent', 'alive'] } };
  const silentFor = async (ms: number) =>
    (
      await rooms
        .find({ ...among, $expr: isOver('aliveAt', ms) })
        .sort({ _id: 1 })
        .toArray()
    ).map(({ _id }) => _id);
  expect(await silentFor(60_000)).toEqual(['never']);
  expect(await silentFor(1000)).toEqual(['never', 'silent']);
});

describe('a lease that is kept', () => {
  const times = { lastsMs: 200, renewedEveryMs: 20 };

  test('is held for longer than it lasts, also through renewals that fail', async () => {
    let renewals = 0;
    const kept = keepLease({ lastsMs: 5000, renewedEveryMs: 5 }, async () => {
      renewals += 1;
      if (renewals % 2 === 1) throw new Error('the store is away');
      return true;
    });
    await until(async () => renewals > 6);
    expect([kept.isHeld(), kept.signal.aborted]).toEqual([true, false]);
    await kept.end();
    const ended = renewals;
    await sleep(50);
    expect(renewals).toBe(ended);
  });

  test('is lost at once when another process has it, and stays lost', async () => {
    const reason = new Error('lost');
    const kept = keepLease({ ...times, lastsMs: 60_000 }, async () => false, { reason });
    await until(async () => kept.signal.aborted);
    expect([kept.isHeld(), kept.signal.reason]).toEqual([false, reason]);
    await kept.end();
  });

  test('is lost when no renewal succeeds in time', async () => {
    const kept = keepLease(times, () => Promise.reject(new Error('the store is away')));
    expect(kept.isHeld()).toBe(true);
    await until(async () => kept.signal.aborted);
    expect(kept.isHeld()).toBe(false);
    await kept.end();
  });

  test('is not held while a renewal hangs for longer than it lasts', async () => {
    let answer = (_isRenewed: boolean) => {};
    const kept = keepLease(
      times,
      () =>
        new Promise<boolean>((resolve) => {
          answer = resolve;
        }),
    );
    await until(async () => !kept.isHeld());
    answer(true);
    await kept.end();
  });
});

describe('a lock of the installation', () => {
  test('has one holder at a time; others see what it does, and get it after it', async () => {
    const { db } = server.services;
    const seen: unknown[] = [];
    let waiting: Promise<unknown> = Promise.resolve();
    await withLock(db, 'one', { level: 3 }, async (lock) => {
      expect(await withLock(db, 'one', {}, async () => 'never')).toBe(taken);
      lock.note('half of it');
      await until(async () => (await lockHolder(db, 'one'))?.note === 'half of it');
      const onWaiting = (holder: unknown) => void seen.push(holder);
      waiting = withLock(db, 'one', { onWaiting }, async () => 'done');
      await until(async () => seen.length > 0);
    });
    expect(seen[0]).toMatchObject({ pid: process.pid, note: 'half of it', level: 3 });
    expect(await waiting).toBe('done');
    expect(await lockHolder(db, 'one')).toBeUndefined();
  });

  test('that another process took is lost, also when that one has released it', async () => {
    const { db } = server.services;
    const locks = db.collection<{ _id: string }>('locks');
    for (const change of [
      () => locks.updateOne({ _id: 'slept' }, { $set: { owner: 'another' } }),
      () => locks.deleteOne({ _id: 'slept' }),
    ]) {
      const run = withLock(db, 'slept', {}, async ({ signal }) => {
        await change();
        await until(async () => signal.aborted);
        signal.throwIfAborted();
      });
      await expect(run).rejects.toBeInstanceOf(LockLost);
      await locks.deleteOne({ _id: 'slept' });
    }
  });

  test('of a killed process is free after some seconds by the clock of the database', async () => {
    const { db } = server.services;
    const ends = (until: Date) =>
      db.collection<{ _id: string }>('locks').replaceOne({ _id: 'killed' }, { owner: 'dead', until }, { upsert: true });
    await ends(new Date(Date.now() + lockLimits.lastsMs * 10));
    expect(await withLock(db, 'killed', {}, async () => 'early')).toBe(taken);
    await ends(ago(1));
    expect(await withLock(db, 'killed', {}, async () => 'mine')).toBe('mine');
  });
});
