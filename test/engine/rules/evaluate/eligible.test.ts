import { ObjectId } from 'bson';
import { eligible } from '#engine/rules/evaluate/eligible';
import { noLists } from '#engine/rules/evaluate/resolvedLists';

const list = '64b000000000000000000001';
const espresso = new ObjectId('64b0000000000000000000e1');
const products = new Map<string, Record<string, unknown>>([
  ['E', { _id: espresso, sku: 'E', category: 'Coffee', excludeFromEarning: false }],
  ['T', { _id: new ObjectId(), sku: 'T', category: 'Tea', excludeFromEarning: false }],
  ['G', { _id: new ObjectId(), sku: 'G', category: 'Gift card', excludeFromEarning: true }],
]);
const lineItems = [
  { itemSKU: 'E', quantity: 2, itemAmount: 0.1 },
  { itemSKU: 'E', quantity: 1, itemAmount: 0.2 },
  { itemSKU: 'T', quantity: 4, itemAmount: 8 },
  { itemSKU: 'G', quantity: 1, itemAmount: 100 },
  { itemSKU: 'unknown', quantity: 8, itemAmount: 16 },
  { quantity: 16, itemAmount: 32 },
];
const lists = { ...noLists, byId: new Map([[list, new Set([espresso.toHexString()])]]) };
const category = (searchStr: string) => ({ inclusionParams: { category: { searchStr } } });

describe('eligible line items', () => {
  it.each<[string, Record<string, unknown> | undefined, number, number]>([
    ['all but what is excluded from earning', undefined, 56.3, 31],
    ['all, by a filter without criteria', {}, 56.3, 31],
    ['those of a category, exactly added', category('Coffee'), 0.3, 3],
    ['those of two categories', category('Coffee, Tea'), 8.3, 7],
    ['never what is excluded from earning', category('Gift card'), 0, 0],
    ['everything else', { ...category('Coffee'), isIncluded: false }, 56, 28],
    ['by SKU, products that nobody knows too', { inclusionParams: { sku: { searchStr: 'unknown,T' } } }, 24, 12],
    ['those of a named list', { inclusionparamsnamedList: list }, 0.3, 3],
    ['all, by a filter that is off', { ...category('Coffee'), isDisabled: true }, 56.3, 31],
  ])('are %s', (_, filter, amount, quantity) => {
    const params = filter === undefined ? undefined : { filter };
    expect(eligible(lineItems, { products }, lists, params)).toEqual({ amount, quantity });
  });
});
