import assert from 'node:assert';
import fc from 'fast-check';
import { burnOrder } from '../../../src/points/lots/lotOrder';
import {
  firstLot,
  type LotTree,
  lotsOf,
  sumWhile,
  treeOf,
  withLot,
  withoutLot,
} from '../../../src/points/lots/lotTree';
import type { Lot } from '../../../src/records/points/lot';
import { minute, points } from '../builders';
import { StoredMember } from '../storedMember';

/** Lots with expiry dates that often coincide. */
const lots: readonly Lot[] = (() => {
  const member = new StoredMember([points]);
  for (let index = 0; index < 60; index += 1) {
    const expiry = { type: 'rolling', value: 1 + (index % 7), unit: 'minute' } as const;
    member.post([{ purse: points._id, earn: index + 1, expiry }], minute(0), 'none');
  }
  return [...member.lots.values()].sort((a, b) => burnOrder.compare(a, b));
})();

/** Puts (true) and removals (false) of the lots by position. */
const steps = fc.array(fc.tuple(fc.nat(lots.length - 1), fc.boolean()), { maxLength: 200 });

test('after any puts and removals the tree holds what a sorted list would, in order, summed and balanced', () => {
  fc.assert(
    fc.property(fc.nat(lots.length), steps, (built, changes) => {
      let tree: LotTree | undefined = treeOf(lots.slice(0, built), burnOrder);
      const held = new Set(lots.slice(0, built));
      for (const [index, isPut] of changes) {
        const lot = lots[index];
        assert(lot);
        tree = isPut ? withLot(tree, lot, burnOrder) : withoutLot(tree, lot, burnOrder);
        if (isPut) held.add(lot);
        else held.delete(lot);
      }
      const sorted = lots.filter((lot) => held.has(lot));
      assert.deepStrictEqual([...lotsOf(tree)], sorted);
      assert.strictEqual(firstLot(tree), sorted[0]);
      for (const until of [1, 3, 7]) {
        const within = ({ dtExpiresOn }: Lot) => !!dtExpiresOn && dtExpiresOn <= minute(until);
        const expected = sorted.filter(within).reduce((sum, { availablePoints }) => sum + availablePoints, 0);
        assert.strictEqual(sumWhile(tree, burnOrder, within), expected);
      }
      assert(heightOf(tree) <= 2 + 2.5 * Math.log2(1 + sorted.length), 'the tree is balanced');
    }),
  );
});

test.each([
  ['in order', lots],
  ['in the opposite order', lots.toReversed()],
])('lots put in one by one %s leave the tree balanced', (_name, sequence) => {
  let tree: LotTree | undefined;
  for (const lot of sequence) tree = withLot(tree, lot, burnOrder);
  expect(heightOf(tree)).toBeLessThanOrEqual(10);
  for (const lot of sequence.slice(0, 50)) tree = withoutLot(tree, lot, burnOrder);
  expect(heightOf(tree)).toBeLessThanOrEqual(6);
});

test('an older tree stays as it was', () => {
  const tree = treeOf(lots, burnOrder);
  const [first] = lots;
  assert(first);
  withoutLot(tree, first, burnOrder);
  withLot(tree, { ...first, availablePoints: 999 }, burnOrder);
  expect([...lotsOf(tree)]).toEqual(lots);
});

function heightOf(tree: LotTree | undefined): number {
  return tree ? 1 + Math.max(heightOf(tree.left), heightOf(tree.right)) : 0;
}
