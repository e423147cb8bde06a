import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createSemaphore, mapAtOnce } from '#base/limits/semaphore';
import { createUserSlots } from '#base/limits/userSlots';
import { scaled } from '../../support/scale';

/** Makes work that ends when the test calls `finish`. */
function work() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = () => resolve();
  });
  const state = { hasBegun: false, finish: () => finish(), run: () => done };
  state.run = () => {
    state.hasBegun = true;
    return done;
  };
  return state;
}

const refused = { code: 1310, status: 503, details: { headers: { 'Retry-After': '1' } } };

test('a limited number runs, a limited number waits, and every further call is refused at once', async () => {
  const slots = createSemaphore({ atOnce: 2, waitingMax: 1, waitMaxMs: 60_000, busyMessage: { message: 'Busy' } });
  const [first, second, third, fourth] = [work(), work(), work(), work()];
  const running = [first, second, third].map(({ run }) => slots.run(run));
  await expect(slots.run(fourth.run)).rejects.toMatchObject(refused);
  expect([first, second, third, fourth].map(({ hasBegun }) => hasBegun)).toEqual([true, true, false, false]);
  first.finish();
  await running[0];
  await nextTurn();
  expect([third.hasBegun, fourth.hasBegun]).toEqual([true, false]);
  for (const { finish } of [second, third]) finish();
  await Promise.all(running);
});

test('preferred calls run first and have a queue of their own', async () => {
  const slots = createSemaphore({ atOnce: 1, waitingMax: 1, waitMaxMs: 60_000, busyMessage: { message: 'Busy' } });
  const [running, other, preferred] = [work(), work(), work()];
  const all = [slots.run(running.run), slots.run(other.run), slots.run(preferred.run, true)];
  running.finish();
  await all[0];
  await nextTurn();
  expect([other.hasBegun, preferred.hasBegun]).toEqual([false, true]);
  for (const { finish } of [other, preferred]) finish();
  await Promise.all(all);
});

test('a call that waits too long is refused, never begins, and frees its place', async () => {
  const slots = createSemaphore({ atOnce: 1, waitingMax: 5, waitMaxMs: 20, busyMessage: { message: 'Busy' } });
  const [running, late, next] = [work(), work(), work()];
  const first = slots.run(running.run);
  await expect(slots.run(late.run)).rejects.toMatchObject(refused);
  running.finish();
  await first;
  next.finish();
  await slots.run(next.run);
  expect([late.hasBegun, next.hasBegun]).toEqual([false, true]);
});

test('the limit is kept and no slot is lost, whatever fails, ends early or waits too long', async () => {
  const task = fc.record({ lastsMs: fc.nat(3), fails: fc.boolean(), isPreferred: fc.boolean(), afterMs: fc.nat(6) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(task, { maxLength: 12 }), async (atOnce, tasks) => {
      const slots = createSemaphore({ atOnce, waitingMax: 3, waitMaxMs: 4, busyMessage: { message: 'Busy' } });
      let [running, most] = [0, 0];
      const runs = tasks.map(async ({ lastsMs, fails, isPreferred, afterMs }) => {
        await delay(afterMs);
        await slots.run(async () => {
          running += 1;
          most = Math.max(most, running);
          await delay(lastsMs);
          running -= 1;
          if (fails) throw new Error('it failed');
        }, isPreferred);
      });
      await Promise.allSettled(runs);
      expect(most).toBeLessThanOrEqual(atOnce);
      expect(running).toBe(0);
      const again = Array.from({ length: atOnce }, () => slots.run(async () => 'ran'));
      expect(await Promise.all(again)).toEqual(again.map(() => 'ran'));
    }),
    { numRuns: scaled(60) },
  );
});

test('without limits on waiting, all calls run in their order, within the limit at a time', async () => {
  let [running, most] = [0, 0];
  const begun: number[] = [];
  const items = Array.from({ length: 50 }, (_unused, index) => index);
  const doubled = await mapAtOnce(7, items, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await delay(item % 3);
    running -= 1;
    return item * 2;
  });
  expect(doubled).toEqual(items.map((item) => item * 2));
  expect([begun, most, running]).toEqual([items, 7, 0]);
});

test('work that fails frees its slot for the next', async () => {
  const semaphore = createSemaphore({ atOnce: 1 });
  const failed = semaphore.run(() => Promise.reject(new Error('it failed')));
  const next = semaphore.run(async () => 'ran');
  await expect(failed).rejects.toThrow('it failed');
  expect(await next).toBe('ran');
});

test('each user and all users together have a limit of slots, and a freed slot can be taken again', () => {
  const take = createUserSlots({ perUser: 2, inAll: 3, refused: () => new Error('one too many') });
  const [first, second] = [take('Ann'), take('Ann')];
  expect(() => take('Ann')).toThrow('one too many');
  const other = take('Bob');
  expect(() => take('Cem')).toThrow('one too many');
  first();
  const third = take('Cem');
  expect(() => take('Ann')).toThrow('one too many');
  for (const free of [second, other, third]) free();
  expect(() => [take('Ann'), take('Ann')]).not.toThrow();
});
