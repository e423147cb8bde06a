import assert from 'node:assert';
import fc from 'fast-check';
import { proportion } from '#engine/points/ledger/proportion';

const anyCount = fc.nat(Number.MAX_SAFE_INTEGER);

test.each([
  [100, 1, 3, 33],
  [100, 2, 3, 66],
  [100, 3, 3, 100],
  [0, 1, 2, 0],
  [7, 0, 0, 7],
  [7, 0, 5, 0],
])('the share of %i for %i of %i is %i', (amount, returned, of, expected) => {
  expect(proportion(amount, { returned, of })).toBe(expected);
});

test('the share is rounded down exactly, however large the numbers', () => {
  fc.assert(
    fc.property(anyCount, anyCount, anyCount, (amount, one, other) => {
      const [returned, of] = [Math.min(one, other), Math.max(one, other)];
      fc.pre(returned < of);
      const share = BigInt(proportion(amount, { returned, of }));
      const exact = BigInt(amount) * BigInt(returned);
      assert(share * BigInt(of) <= exact && exact < (share + 1n) * BigInt(of));
    }),
  );
});
