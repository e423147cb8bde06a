import { decideReturnScope, type Sold } from '#activities/returns/decideReturnScope';

const line = (_id: string, itemAmount: number, quantity = 1, back: object = {}) => ({
  _id,
  itemAmount,
  quantity,
  ...back,
});

/**
 * Returns these lines one after the other.
 * @returns after each return: the returned value, and whether everything is returned
 */
function oneByOne(sold: Sold, ids: readonly string[]): [number, boolean][] {
  let now = sold;
  return ids.map((_id) => {
    const { returnedValue, returnedByValue, lines, isWhole } = decideReturnScope(now, {
      lines: [{ _id, quantity: 1 }],
    });
    const lineItems = now.lineItems.map((each, index) => ({
      ...each,
      returnedQuantity: lines[index]?.quantity ?? 0,
      returnedValue: lines[index]?.value ?? 0,
    }));
    now = { ...now, returnedValue, returnedByValue, lineItems };
    return [returnedValue, isWhole];
  });
}

describe('the value of returned lines', () => {
  it.each<[string, Sold, string[], [number, boolean][]]>([
    [
      'is their share where a discount was given',
      { value: 100, lineItems: [line('a', 60), line('b', 60), line('c', 60)] },
      ['a', 'c', 'b'],
      [
        [33, false],
        [66, false],
        [100, true],
      ],
    ],
    [
      'is their share by the piece too',
      { value: 10, lineItems: [line('a', 9, 3), line('b', 11)] },
      ['a', 'a', 'b', 'a'],
      [
        [1, false],
        [3, false],
        [8, false],
        [10, true],
      ],
    ],
    [
      'is their cost where the activity has no other value',
      { value: 100, lineItems: [line('a', 60), line('b', 40)] },
      ['b', 'a'],
      [
        [40, false],
        [100, true],
      ],
    ],
    [
      'leaves what was paid besides',
      { value: 120, lineItems: [line('a', 60), line('b', 40)] },
      ['b', 'a'],
      [
        [40, false],
        [100, false],
      ],
    ],
  ])('%s', (_, sold, ids, steps) => {
    expect(oneByOne(sold, ids)).toEqual(steps);
  });
});

describe('the value that was returned without lines', () => {
  const back = { returnedQuantity: 1, returnedValue: 40 };
  it.each<[string, Partial<Sold>, number]>([
    ['is kept', { returnedValue: 70, returnedByValue: 20 }, 20],
    ['is derived from the lines where it was not kept', { returnedValue: 70 }, 30],
    ['is nothing when a discount lowered the value of the lines', { returnedValue: 30 }, 0],
  ])('%s', (_, sold, before) => {
    const all: Sold = { value: 100, lineItems: [line('a', 40, 1, back), line('b', 60)], ...sold };
    expect(decideReturnScope(all, { value: 5 }).returnedByValue).toBe(before + 5);
    expect(decideReturnScope(all, { lines: [{ _id: 'b' }] }).returnedByValue).toBe(before);
  });
});

describe('the returned share of an activity without a value', () => {
  it.each<[string, number[], string[], object]>([
    ['is that of the amounts of its lines', [30, 10], ['a'], { returned: 30, of: 40 }],
    ['is that of the amounts, however small', [1, 0], ['b'], { returned: 0, of: 1 }],
    ['is that of the quantities when no line has an amount', [0, 0], ['b'], { returned: 1, of: 2 }],
    ['is all when all lines are returned', [1, 0], ['a', 'b'], { returned: 1, of: 1 }],
  ])('%s', (_, amounts, ids, share) => {
    const lineItems = amounts.map((amount, index) => line('ab'.charAt(index), amount));
    const { returned, of } = decideReturnScope({ value: 0, lineItems }, { lines: ids.map((_id) => ({ _id })) });
    expect({ returned, of }).toEqual(share);
  });
});
