import { ObjectId } from 'bson';
import fc from 'fast-check';
import { decideReturnScope } from '#activities/returns/decideReturnScope';
import { linesText, parseLines } from '#engine/rules/explain/linesText';
import { type ProcessedActivity, plainOutcome } from '#engine/rules/simulate/processedActivity';
import { withoutReturned } from '#engine/rules/simulate/withoutReturned';
import { scaled } from '../../../support/scale';

const sold = fc.array(
  fc.record({
    itemSKU: fc.constantFrom('A', 'B', 'C'),
    itemAmount: fc.nat(1000),
    quantity: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 8 },
);
type Lines = { itemSKU: string; itemAmount: number; quantity: number }[];

const value = (lines: Lines) => lines.reduce((sum, { itemAmount }) => sum + itemAmount, 0);

function past(lineItems: Lines, facts: ProcessedActivity['facts'] = []): ProcessedActivity {
  return {
    activity: { type: 'Accrual', date: new Date(0), value: value(lineItems), lineItems },
    memberId: new ObjectId(),
    program: { _id: new ObjectId(), code: 'main', timezone: 'UTC' },
    now: new Date(0),
    enriched: { products: new Map() },
    facts,
    awards: [],
    usage: [],
    outcome: plainOutcome,
  };
}

it('positions that are texts are read unchanged', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(999)), (some) => {
      const positions = [...some].sort((a, b) => a - b);
      expect([...parseLines(linesText(positions))]).toEqual(positions);
    }),
  );
});

it('several returns leave what one return of their sum leaves, by lines and by value', () => {
  const returns = fc.array(fc.record({ sku: fc.constantFrom('A', 'B', 'C'), units: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 15,
  });
  fc.assert(
    fc.property(sold, returns, (lines, each) => {
      fc.pre(value(lines) > 0);
      const before = { value: value(lines), lineItems: lines };
      let stepwise: Parameters<typeof decideReturnScope>[0] = before;
      const sums = new Map<string, number>();
      for (const { sku, units } of each) {
        const total = (sums.get(sku) ?? 0) + units;
        const there = lines.reduce((sum, { itemSKU, quantity }) => sum + (itemSKU === sku ? quantity : 0), 0);
        const request = { lines: [{ itemSKU: sku, quantity: units }] };
        if (total > there) {
          expect(() => decideReturnScope(stepwise, request)).toThrow();
          continue;
        }
        sums.set(sku, total);
        const part = decideReturnScope(stepwise, request);
        const atOnce = decideReturnScope(before, {
          lines: [...sums].map(([itemSKU, quantity]) => ({ itemSKU, quantity })),
        });
        expect([part.returnedValue, part.lines, part.isWhole]).toEqual([
          atOnce.returnedValue,
          atOnce.lines,
          atOnce.isWhole,
        ]);
        const { returnedValue, lines: back } = part;
        stepwise = {
          ...before,
          returnedValue,
          lineItems: lines.map((line, index) => ({
            ...line,
            returnedQuantity: back[index]?.quantity ?? 0,
            returnedValue: back[index]?.value ?? 0,
          })),
        };
        if (part.isWhole) return;
        const left = withoutReturned(past(lines), { value: returnedValue, byValue: 0, lines: back });
        // The value equals the sum of the line items: rounding loses nothing.
        expect(left.past.activity.lineItems.reduce((sum, { itemAmount = 0 }) => sum + itemAmount, 0)).toBe(
          left.past.activity.value,
        );
      }
    }),
    { numRuns: scaled(400) },
  );
});

describe('facts without the returned part', () => {
  const lines = [
    { itemSKU: 'A', itemAmount: 60, quantity: 3 },
    { itemSKU: 'B', itemAmount: 40, quantity: 2 },
  ];
  const back = {
    value: 20,
    byValue: 0,
    lines: [
      { quantity: 1, value: 20 },
      { quantity: 0, value: 0 },
    ],
  };
  const read = (fact: string, was: unknown, more: object = {}) => ({ fact, priority: 1, value: was, ...more });
  const left = (fact: object & { fact: string; priority: number; value: unknown }, by = back) =>
    withoutReturned(past(lines, [fact]), by);

  it.each<[string, ReturnType<typeof read>, unknown, string[]]>([
    ['an eligible amount is that of the lines that counted', read('eligibleAmount', 60, { lines: '0' }), 40, []],
    ['an eligible quantity is that of the lines that counted', read('eligibleQuantity', 5, { lines: '0-1' }), 4, []],
    ['an eligible amount without lines is scaled', read('eligibleAmount', 50), 40, ['eligibleAmount']],
    [
      'the spend of the period is less by the value',
      read('aggregate', 500, { params: { metric: 'spend', period: 'year' } }),
      480,
      [],
    ],
    [
      'the visits of the period are unchanged',
      read('aggregate', 5, { params: { metric: 'visits', period: 'year' } }),
      5,
      [],
    ],
    ['other facts are unchanged', read('isBirthday', true), true, []],
  ])('%s', (_, fact, value, scaled) => {
    const { past: after, scaled: actual } = left(fact);
    expect([after.facts.map((each) => each.value), actual]).toEqual([[value], scaled]);
  });

  it.each([
    ['of 25: of four, two are still crossed', 500, { every: 25 }, 4, 600, 2],
    ['reached exactly: it no longer is', 500, { at: [600] }, 1, 600, 0],
    ['that lies lower stays crossed', 500, { at: [550] }, 1, 600, 1],
  ])('have a threshold that %s', (_, before, thresholds, was, reached, left) => {
    const sum = { metric: 'spend', period: 'month' };
    const facts = [
      read('crossed', was, { params: { ...sum, ...thresholds } }),
      read('aggregate', reached, { params: sum }),
    ];
    const { past: after } = withoutReturned(past(lines, facts), { ...back, value: 30 });
    expect(before).toBe(reached - after.activity.value - 30);
    expect(after.facts.map(({ value }) => value)).toEqual([left, reached - 30]);
  });

  it('follow their line item, and disappear with it', () => {
    const gone = {
      value: 60,
      byValue: 0,
      lines: [
        { quantity: 3, value: 60 },
        { quantity: 0, value: 0 },
      ],
    };
    expect(left(read('product', 'x', { line: 1 }), gone).past.facts).toMatchObject([{ line: 0, value: 'x' }]);
    expect(left(read('product', 'x', { line: 0 }), gone).past.facts).toEqual([]);
    expect(left(read('hour', 1), gone).positions).toEqual([1]);
  });

  it('scale with the amounts when a value was returned without lines', () => {
    const half = {
      value: 50,
      byValue: 50,
      lines: [
        { quantity: 0, value: 0 },
        { quantity: 0, value: 0 },
      ],
    };
    const { past: after } = left(read('eligibleAmount', 60, { lines: '0' }), half);
    expect([after.activity.value, after.activity.lineItems.map(({ itemAmount }) => itemAmount)]).toEqual([
      50,
      [30, 20],
    ]);
    expect(after.facts[0]?.value).toBe(30);
  });
});

it('a return takes its share of each tender', () => {
  const lines = [{ itemSKU: 'A', itemAmount: 300, quantity: 3 }];
  const facts = [{ fact: 'tender', priority: 1, value: 90 }];
  const back = { value: 100, byValue: 0, lines: [{ quantity: 1, value: 100 }] };
  expect(withoutReturned(past(lines, facts), back)).toMatchObject({
    past: { facts: [{ fact: 'tender', value: 60 }] },
    scaled: ['tender'],
  });
});
