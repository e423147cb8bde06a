import { fc, test as property } from '@fast-check/jest';
import { crossings } from '#engine/rules/language/factParams';

test.each<[number | number[], number, number, number, string]>([
  [250, 0, 249, 0, 'below'],
  [250, 0, 250, 1, 'reaches exactly'],
  [250, 250, 499, 0, 'what was reached before does not count again'],
  [250, 249, 251, 1, 'over'],
  [250, 100, 1100, 4, 'several at once'],
  [250, 600, 300, 0, 'a sum that falls crosses nothing'],
  [250, -300, 250, 1, 'from below 0'],
  [250, -300, -10, 0, 'below 0'],
  [[1000, 5000], 999, 1000, 1, 'reaches a threshold of the list'],
  [[1000, 5000], 1000, 4999, 0, 'between two of the list'],
  [[5000, 1000], 0, 9000, 2, 'all of the list, in any order'],
  [[1000], 1200, 900, 0, 'falls below it'],
])('thresholds of %j are crossed from %d to %d this often: %d (%s)', (of, before, after, count, _) => {
  expect(crossings(of, before, after)).toBe(count);
});

const sum = fc.integer({ min: -2000, max: 2000 });

property.prop([fc.integer({ min: 1, max: 300 }), sum, sum])(
  'each multiple above the earlier sum and up to the later sum is counted',
  (every, before, after) => {
    let count = 0;
    for (let step = before + 1; step <= after; step += 1) if (step > 0 && step % every === 0) count += 1;
    expect(crossings(every, before, after)).toBe(count);
  },
);

property.prop([fc.integer({ min: 1, max: 300 }), fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 20 })])(
  'every multiple is crossed once by amounts that only rise',
  (every, amounts) => {
    let total = 0;
    let count = 0;
    for (const amount of amounts) {
      count += crossings(every, total, total + amount);
      total += amount;
    }
    expect(count).toBe(Math.floor(total / every));
  },
);

property.prop([fc.maxSafeInteger(), fc.integer({ min: 1, max: 7 })])(
  'crossings of large sums are exact',
  (sum, every) => {
    const exact = BigInt(Math.max(sum, 0)) / BigInt(every);
    expect(BigInt(crossings(every, 0, sum))).toBe(exact);
  },
);
