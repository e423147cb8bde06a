import fc from 'fast-check';
import { type DiscountBase, discountGain } from '#programs/offers/discount';
import type { Discount } from '#records/offers/offerFields';

const base: DiscountBase = { eligible: 1000, whole: 1000, awarded: [{ purse: 'A', points: 100 }], primaryPurse: 'A' };
const points = (purse: string, each: number) => [{ purse, points: each }];

test.each<[string, Discount, Partial<DiscountBase>, { discount: number; points: object[] }]>([
  ['an amount', { type: 'amount', value: 300 }, {}, { discount: 300, points: [] }],
  [
    'an amount above what is eligible',
    { type: 'amount', value: 300 },
    { eligible: 99.9 },
    { discount: 99, points: [] },
  ],
  ['a percentage that is exact only in decimals', { type: 'percent', value: 0.7 }, {}, { discount: 7, points: [] }],
  ['a percentage with a max', { type: 'percent', value: 50, max: 20 }, {}, { discount: 20, points: [] }],
  ['points', { type: 'points', value: 5 }, {}, { discount: 0, points: points('A', 5) }],
  [
    'points where there is no purse',
    { type: 'points', value: 5 },
    { primaryPurse: undefined },
    { discount: 0, points: [] },
  ],
  ['a multiplier', { type: 'multiplier', value: 1.1 }, {}, { discount: 0, points: points('A', 10) }],
  [
    'a multiplier of a third',
    { type: 'multiplier', value: 2 },
    { eligible: 333 },
    { discount: 0, points: points('A', 33) },
  ],
  ['a multiplier below 1', { type: 'multiplier', value: 0.5 }, {}, { discount: 0, points: [] }],
  [
    'a multiplier without an amount',
    { type: 'multiplier', value: 2 },
    { eligible: 0, whole: 0 },
    { discount: 0, points: points('A', 100) },
  ],
])('a discount is computed for %s', (_name, discount, changes, expected) => {
  expect(discountGain(discount, { ...base, ...changes })).toEqual(expected);
});

test('a multiplier gives at most its max in all purses together, in the order of purses', () => {
  const awarded = [
    { purse: 'A', points: 30 },
    { purse: 'B', points: 30 },
  ];
  const gain = discountGain({ type: 'multiplier', value: 2, max: 40 }, { ...base, awarded });
  expect(gain.points).toEqual([
    { purse: 'A', points: 30 },
    { purse: 'B', points: 10 },
  ]);
});

test('a discount is never above what is eligible, nor above its max, and always whole', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('amount' as const, 'percent' as const),
      fc.integer({ min: 1, max: 100 }),
      fc.nat({ max: 1_000_000 }),
      fc.nat({ max: 1000 }),
      (type, value, eligible, max) => {
        const { discount } = discountGain({ type, value, max }, { ...base, eligible, whole: eligible });
        expect(Number.isSafeInteger(discount)).toBe(true);
        expect(discount).toBeGreaterThanOrEqual(0);
        expect(discount).toBeLessThanOrEqual(Math.min(eligible, max));
      },
    ),
  );
});
