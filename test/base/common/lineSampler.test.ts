import { createLineSampler } from '#base/common/lineSampler';

test('the first lines of each second are admitted, and the number of the others is reported', async () => {
  const actual: number[] = [];
  const sampler = createLineSampler(3, (lines) => actual.push(lines));
  const startedAt = performance.now();
  const admitted = Array.from({ length: 1000 }, () => sampler.admits()).filter(Boolean).length;
  const seconds = Math.ceil((performance.now() - startedAt) / 1000);
  expect(admitted).toBeGreaterThanOrEqual(3);
  expect(admitted).toBeLessThanOrEqual(3 * (1 + seconds));
  const sum = () => actual.reduce((total, lines) => total + lines, 0);
  while (admitted + sum() < 1000) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(admitted + sum()).toBe(1000);
  expect(actual.length).toBeLessThanOrEqual(1 + seconds);
  // A timer may end a millisecond early, still in the second of the refused lines.
  while (performance.now() - startedAt < 1000 * (1 + seconds)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(sampler.admits()).toBe(true);
});

test('nothing is reported when all lines were admitted, and 0 admits all', async () => {
  const actual: number[] = [];
  const few = createLineSampler(10, (lines) => actual.push(lines));
  const all = createLineSampler(0, (lines) => actual.push(lines));
  for (let n = 0; n < 10; n += 1) expect([few.admits(), all.admits()]).toEqual([true, true]);
  for (let n = 0; n < 1000; n += 1) expect(all.admits()).toBe(true);
  expect(actual).toEqual([]);
});
