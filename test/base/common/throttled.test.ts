import { setTimeout as sleep } from 'node:timers/promises';
import { throttled } from '#base/common/throttled';

test('callers within the period, or during a read, share one read', async () => {
  let looks = 0;
  const look = throttled(50, async () => {
    looks += 1;
    await sleep(looks === 2 ? 150 : 1);
    return looks;
  });
  expect(await Promise.all(Array.from({ length: 5000 }, look))).toEqual(new Array(5000).fill(1));
  await sleep(60);
  const slow = look();
  await sleep(100);
  expect([await look(), await slow, looks]).toEqual([2, 2, 2]);
  await sleep(60);
  expect(await look()).toBe(3);
});

test('a failed read is not repeated within the period either', async () => {
  let looks = 0;
  const look = throttled(10_000, async () => {
    looks += 1;
    throw new Error('away');
  });
  for (let n = 0; n < 3; n += 1) await expect(look()).rejects.toThrow('away');
  expect(looks).toBe(1);
});
