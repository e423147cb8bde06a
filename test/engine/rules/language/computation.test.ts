import fc from 'fast-check';
import { type Amount, amountReads, computeAmount } from '#engine/rules/language/amount';
import type { Operand } from '#engine/rules/language/computation';
import type { FactRef } from '#engine/rules/language/factRef';
import { amountText } from '#engine/rules/words/amountText';
import { scaled } from '../../../support/scale';
import { base, faultsOf } from '../sampleRules';

const value = { fact: 'activity', path: '$.value' };
const hour = { fact: 'hour' };
const missing = { fact: 'activity', path: '$.ext.none' };
const input: Record<string, number> = { $: 3, '$.value': 1000 };
const readFact = ({ path = '$' }: FactRef) => input[path];

type Of = Exclude<Operand, number>;

describe('an amount of a computation', () => {
  it.each<[string, Of, number]>([
    ['a sum', { sum: [value, hour, 0.5] }, 1003],
    ['a difference', { difference: [value, hour] }, 997],
    ['a difference below zero', { difference: [hour, value] }, -997],
    ['a product', { product: [value, hour, 0.1] }, 300],
    ['the least', { least: [value, 1500, hour] }, 3],
    ['the greatest', { greatest: [value, 1500, hour] }, 1500],
    ['a share', { share: [value, hour] }, 333],
    ['a share of nothing', { share: [value, missing] }, 0],
    ['a missing fact in a sum', { sum: [value, missing] }, 1000],
    ['a third of three thirds is exactly one', { product: [{ share: [1, hour] }, hour] }, 1],
    ['a negative divisor', { share: [value, { difference: [0, hour] }] }, -334],
    ['a nested one', { least: [{ greatest: [{ difference: [value, 400] }, 0] }, 500] }, 500],
  ])('%s', (_, of, expected) => expect(computeAmount({ of }, readFact) + 0).toBe(expected));

  it.each<[string, Amount, number]>([
    ['rounds once, at the end', { of: { share: [value, hour] }, times: 3 }, 1000],
    ['rounds up', { of: { share: [value, hour] }, round: 'ceil' }, 334],
    ['rounds to the nearest', { of: { share: [hour, 2] }, round: 'nearest' }, 2],
    ['counts full steps', { of: { share: [value, hour] }, every: 111.1, points: 5 }, 15],
    ['has bounds', { of: { sum: [value, hour] }, min: 5, max: 900 }, 900],
    ['may have a fact as its factor', { of: { sum: [value, 0.5] }, times: hour }, 3001],
    ['is 0 for a missing factor', { of: value, times: missing }, 0],
    ['is the fact itself without a factor', { of: value }, 1000],
  ])('%s', (_, amount, expected) => expect(computeAmount(amount, readFact)).toBe(expected));

  it('counts its source only up to the amount that a limit leaves', () => {
    expect(computeAmount({ of: value, times: 0.05 }, readFact, 500)).toBe(25);
    expect(computeAmount({ of: { sum: [value, hour] }, times: 0.5 }, readFact, 1001)).toBe(500);
    expect(computeAmount({ of: value, every: 100, points: 1 }, readFact, 250)).toBe(2);
  });

  it('names all facts that it reads', () => {
    expect(amountReads({ of: { sum: [value, { share: [hour, 2] }] }, times: missing })).toEqual([value, hour, missing]);
  });
});

/** A fraction of whole numbers: an oracle that shares no code with the service. */
type Ratio = readonly [bigint, bigint];
const oracle: Record<string, (a: Ratio, b: Ratio) => Ratio> = {
  sum: ([a, b], [c, d]) => [a * d + c * b, b * d],
  difference: ([a, b], [c, d]) => [a * d - c * b, b * d],
  product: ([a, b], [c, d]) => [a * c, b * d],
  least: (x, y) => (x[0] * y[1] <= y[0] * x[1] ? x : y),
  greatest: (x, y) => (x[0] * y[1] >= y[0] * x[1] ? x : y),
  share: ([a, b], [c, d]) => (c === 0n ? [0n, 1n] : c < 0n ? [-a * d, -b * c] : [a * d, b * c]),
};
const floored = ([a, b]: Ratio) => a / b - (a % b !== 0n && a < 0n ? 1n : 0n);

it('a computation of cents is exactly that of fractions of whole numbers', () => {
  const tree = fc.letrec<{ node: { operand: Operand; ratio: Ratio } }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.integer({ min: -100_000, max: 100_000 }).map((cents) => ({
        operand: cents / 100,
        ratio: [BigInt(cents), 100n] as const,
      })),
      fc.tuple(fc.constantFrom(...Object.keys(oracle)), tie('node'), tie('node')).map(([word, a, b]) => ({
        operand: { [word]: [a.operand, b.operand] },
        ratio: oracle[word]?.(a.ratio, b.ratio) ?? ([0n, 1n] as const),
      })),
    ),
  })).node;
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 500 }), ({ operand, ratio: [over, under] }, cents) => {
      const exact = floored([over * BigInt(cents), under * 100n]);
      fc.pre(typeof operand === 'object' && exact < 2n ** 53n && exact > -(2n ** 53n));
      if (typeof operand === 'object')
        expect(computeAmount({ of: operand, times: cents / 100 }, readFact) + 0).toBe(Number(exact));
    }),
    { numRuns: scaled(1000) },
  );
});

describe('files with a faulty computation are refused', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { sum: [nested(depth - 1), 1] });
  it.each<[string, unknown, string[]]>([
    ['an unknown word', { summ: [1, 2] }, ['"summ":[1,2]: unknown field "summ" (did you mean "sum"?)']],
    [
      'an unknown word inside',
      { sum: [{ leest: [1, 2] }, 2] },
      [
        '{"leest":[1,: an operand is a number, a fact, or one of sum, difference, product, least, greatest, share; unknown "leest" (did you mean "least"?)',
      ],
    ],
    [
      'two words',
      { sum: [1, { sum: [1, 2], share: [1, 2] }] },
      ['"share":[1,2: "sum" and "share" stand in one computation; nest one in the other'],
    ],
    ['one operand', { sum: [1, { share: [value] }] }, ['[{"fact":"ac: "share" needs a list of two operands']],
    [
      'a text',
      { sum: [1, { fact: 'activity', path: '$.type' }] },
      ['{"fact":"act: activity $.type is a text; an amount needs a number'],
    ],
    ['an unknown fact', { sum: [1, { fact: 'hours' }] }, ['"hours"}]},": unknown fact "hours" (did you mean "hour"?)']],
    [
      'a misspelt field',
      { sum: [1, { fact: 'activity', pth: '$.value' }] },
      [
        '{"fact":"act: activity is an object; an amount needs a number',
        '"pth":"$.val: "pth" is not a field of a fact (did you mean "path"?)',
      ],
    ],
    ['a text as operand', { sum: [1, '2'] }, ['"2"]},"times: an operand is a number, a fact or a computation']],
    ['six levels', nested(6), ['{"sum":[1,1]: computations nest deeper than 5 levels']],
    [
      'too many operands',
      { sum: Array.from({ length: 16 }, () => ({ sum: [1, 2] })) },
      ['{"sum":[{"su: these are 32 operands; a computation has at most 30'],
    ],
  ])('%s', async (_, of, expected) => {
    const actions = [{ type: 'addPoints', purse: 'Points', points: { of, times: 1 } }];
    expect(await faultsOf({ ...base, actions })).toEqual(expected);
  });

  it('by a factor that is a text', async () => {
    const points = { of: value, times: { fact: 'activity', path: '$.type' } };
    expect(await faultsOf({ ...base, actions: [{ type: 'addPoints', purse: 'Points', points }] })).toEqual([
      '{"fact":"act: activity $.type is a text; a factor needs a number',
    ]);
  });
});

it.each<[string, Amount]>([
  [
    "2 × the sum of the activity's value and the hour of the day, rounded down",
    { of: { sum: [value, hour] }, times: 2 },
  ],
  ["the hour of the day × the activity's value, rounded down", { of: value, times: hour }],
  ["the least of the activity's value and 1500, rounded up", { of: { least: [value, 1500] }, round: 'ceil' }],
  ["5 for each full 10 of the share of the activity's value in 3", { of: { share: [value, 3] }, every: 10, points: 5 }],
])('a computation is said in words: %s', (phrase, amount) => expect(amountText(amount)).toBe(phrase));
