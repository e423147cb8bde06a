import { fc, test as property } from '@fast-check/jest';
import { ObjectId } from 'bson';
import { groupBy } from '#base/common/lists/groupBy';
import { bestCombination } from '#programs/offers/bestCombination';
import { comparedMax } from '#programs/offers/bestSubset';
import type { CouponCandidate } from '#programs/offers/compatibility';
import type { Gain } from '#programs/offers/discount';
import type { Offer } from '#records/offers/offer';
import { scaled } from '../../support/scale';

interface Given {
  code: string;
  worth?: number;
  /** What it gives to each line item, for an offer `perLine`. */
  lines?: number[];
  stackGroup?: string;
  excludes?: { all?: boolean; stackGroups?: string[] };
  priority?: number;
}

interface Limits {
  perActivity?: number;
  perLine?: number;
}

function candidate({ code, worth = 0, lines, ...fields }: Given): CouponCandidate {
  const record = { _id: new ObjectId(), code, name: code, ...fields } as Offer;
  const total = lines ? lines.reduce((sum, each) => sum + each, 0) : worth;
  const gains = (lines ?? []).flatMap((each, line): [number, Gain][] =>
    each > 0 ? [[line, { discount: each, points: [] }]] : [],
  );
  return {
    coupon: { kind: 'offer', record },
    code,
    gain: { discount: total, points: [] },
    ...(lines ? { byLine: new Map(gains) } : {}),
  };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** The codes applied, with the line items of those that are for single ones. */
function appliedOf(input: readonly Given[], limits?: Limits): string[] {
  const { applied, lost } = bestCombination(input.map(candidate), limits);
  expect(new Set([...applied.map((each) => each.candidate.code), ...lost.map(({ code }) => code)]).size).toBe(
    input.length,
  );
  return applied.map(({ candidate: { code }, lines }) => (lines ? `${code} ${lines.join(',')}` : code));
}

test.each<[string, Given[], Limits, string[]]>([
  [
    'all, when nothing hinders',
    [
      { code: 'A', worth: 1 },
      { code: 'B', worth: 2 },
      { code: 'C', lines: [3, 0] },
    ],
    {},
    ['A', 'B', 'C 0'],
  ],
  [
    'the best of each stack group',
    [
      { code: 'A', worth: 5, stackGroup: 'x' },
      { code: 'B', worth: 6, stackGroup: 'x' },
      { code: 'C', worth: 1, stackGroup: 'y' },
    ],
    {},
    ['B', 'C'],
  ],
  [
    'of equal ones, the one of higher priority',
    [
      { code: 'A', worth: 5, stackGroup: 'x' },
      { code: 'B', worth: 5, stackGroup: 'x', priority: 1 },
    ],
    {},
    ['B'],
  ],
  [
    'of equal ones, the first code',
    [
      { code: 'B', worth: 5, stackGroup: 'x' },
      { code: 'A', worth: 5, stackGroup: 'x' },
    ],
    {},
    ['A'],
  ],
  [
    'two that go together before one that gives more than each',
    [
      { code: 'A', worth: 60 },
      { code: 'B', worth: 50 },
      { code: 'ALONE', worth: 100, excludes: { all: true } },
    ],
    {},
    ['A', 'B'],
  ],
  [
    'one that goes with no other, when it gives more than all others',
    [
      { code: 'A', worth: 60 },
      { code: 'B', worth: 30 },
      { code: 'ALONE', worth: 100, excludes: { all: true } },
    ],
    {},
    ['ALONE'],
  ],
  [
    'not two of which only the second excludes the group of the first',
    [
      { code: 'A', worth: 60, stackGroup: 'x' },
      { code: 'B', worth: 30, excludes: { stackGroups: ['x'] } },
      { code: 'C', worth: 1, stackGroup: 'z' },
    ],
    {},
    ['A', 'C'],
  ],
  [
    'at most so many, those that give most',
    [
      { code: 'A', worth: 1 },
      { code: 'B', worth: 3 },
      { code: 'C', worth: 2 },
    ],
    { perActivity: 2 },
    ['B', 'C'],
  ],
  [
    'for each line item the best',
    [
      { code: 'A', lines: [5, 1, 0] },
      { code: 'B', lines: [4, 2, 1] },
    ],
    { perLine: 1 },
    ['A 0', 'B 1,2'],
  ],
  [
    'for each line item the best of a stack group',
    [
      { code: 'A', lines: [5, 1], stackGroup: 'x' },
      { code: 'B', lines: [4, 2], stackGroup: 'x' },
      { code: 'C', lines: [1, 1] },
    ],
    {},
    ['A 0', 'B 1', 'C 0,1'],
  ],
  [
    'few offers that cover all line items, when an activity has few',
    [
      { code: 'A', lines: [9, 0, 0] },
      { code: 'B', lines: [0, 9, 0] },
      { code: 'C', lines: [7, 7, 7] },
    ],
    { perActivity: 1, perLine: 1 },
    ['C 0,1,2'],
  ],
  [
    'offers of line items, when together they give more than one for the activity that does not go with them',
    [
      { code: 'A', lines: [9, 9], stackGroup: 'item' },
      { code: 'B', lines: [5, 0], stackGroup: 'other' },
      { code: 'WHOLE', worth: 17, excludes: { stackGroups: ['item'] } },
    ],
    {},
    ['A 0,1', 'B 0'],
  ],
  [
    'one for the activity, when it gives more than the offers of line items that do not go with it',
    [
      { code: 'A', lines: [9, 9], stackGroup: 'item' },
      { code: 'B', lines: [5, 0], stackGroup: 'other' },
      { code: 'WHOLE', worth: 19, excludes: { stackGroups: ['item'] } },
    ],
    {},
    ['B 0', 'WHOLE'],
  ],
])('the applied offers are %s', (_name, input, limits, expected) => {
  expect(appliedOf(input, limits)).toEqual(expected);
});

test('of more offers than are compared in every way, those that give most are applied', () => {
  const inputs = Array.from({ length: 40 }, (_, n) => ({ code: `C${n + 10}`, worth: n + 1 }));
  const best = inputs.slice(-25).map(({ code }) => code);
  expect(appliedOf(inputs, { perActivity: 25 })).toEqual(best);
  const grouped = inputs.map((each, n) => ({ ...each, stackGroup: `g${n % 8}` }));
  expect(appliedOf(grouped)).toEqual(inputs.slice(-8).map(({ code }) => code));
});

test('each of a thousand different line items takes the best two of the four best offers', () => {
  const lines = (n: number) => Array.from({ length: 1000 }, (_, line) => 1 + ((line * (n + 3)) % 1009));
  const inputs = Array.from({ length: comparedMax }, (_, n) => ({ code: `C${n}`, lines: lines(n) }));
  const applied = appliedOf(inputs, { perActivity: 4, perLine: 2 });
  expect(applied.length).toBe(4);
  const taken = applied.flatMap((each) => {
    const [code, used = ''] = each.split(' ');
    return used.split(',').map((line) => ({ line, discount: lines(Number(code?.slice(1)))[Number(line)] ?? 0 }));
  });
  expect([...groupBy(taken, ({ line }) => line).values()].map((each) => each.length)).toEqual(Array(1000).fill(2));
  const fours = subsetsOf(inputs).filter((each) => each.length === 4);
  const bestTwo = (four: typeof inputs, line: number) =>
    sumOf(
      four
        .map((each) => each.lines[line] ?? 0)
        .sort((a, b) => b - a)
        .slice(0, 2),
    );
  const greatest = Math.max(...fours.map((four) => sumOf(four[0]?.lines.map((_, line) => bestTwo(four, line)) ?? [])));
  expect(sumOf(taken.map(({ discount }) => discount))).toBe(greatest);
});

/** All subsets of a list. */
function subsetsOf<T>(list: readonly T[]): T[][] {
  const [first, ...rest] = list;
  if (first === undefined) return [[]];
  const others = subsetsOf(rest);
  return [...others, ...others.map((each) => [first, ...each])];
}

/** Whether a pair may be applied to the same thing, from the words of the design page. */
function mayMeet(a: Given, b: Given): boolean {
  const bars = (one: Given, other: Given) =>
    one.excludes?.all === true ||
    (one.excludes?.stackGroups ?? []).some((group) => group === other.stackGroup) ||
    (one.stackGroup !== undefined && one.stackGroup === other.stackGroup);
  return !bars(a, b) && !bars(b, a);
}

function pairsOf<T>(list: readonly T[]): [T, T][] {
  return list.flatMap((a, index) => list.slice(index + 1).map((b): [T, T] => [a, b]));
}

/** The greatest worth of all allowed combinations: each offer for the activity on or off, each on each line on or off. */
function greatestWorth(input: readonly Given[], { perActivity = 99, perLine = 99 }: Limits): number {
  const [wholes, singles] = [input.filter(({ lines }) => !lines), input.filter(({ lines }) => lines)];
  const lineCount = Math.max(0, ...singles.map(({ lines }) => lines?.length ?? 0));
  let greatest = 0;
  for (const chosen of subsetsOf(wholes)) {
    if (pairsOf(chosen).some(([a, b]) => !mayMeet(a, b))) continue;
    const worth = chosen.reduce((sum, { worth: own = 0 }) => sum + own, 0);
    const allowed = singles.filter((each) => chosen.every((whole) => mayMeet(whole, each)));
    for (const used of subsetsOf(allowed)) {
      if (chosen.length + used.length > perActivity) continue;
      let sum = worth;
      for (let line = 0; line < lineCount; line += 1) {
        const ways = subsetsOf(used.filter(({ lines }) => (lines?.[line] ?? 0) > 0)).filter(
          (way) => way.length <= perLine && pairsOf(way).every(([a, b]) => mayMeet(a, b)),
        );
        sum += Math.max(...ways.map((way) => way.reduce((all, { lines }) => all + (lines?.[line] ?? 0), 0)));
      }
      greatest = Math.max(greatest, sum);
    }
  }
  return greatest;
}

const groups = fc.constantFrom('x', 'y', 'z');
const anyGiven = fc.record(
  {
    worth: fc.nat(30),
    lines: fc.array(fc.nat(12), { minLength: 3, maxLength: 3 }),
    stackGroup: groups,
    excludes: fc.record({ all: fc.boolean(), stackGroups: fc.array(groups, { maxLength: 2 }) }, { requiredKeys: [] }),
    priority: fc.nat(2),
  },
  { requiredKeys: ['worth'] },
);
const anyLimits = fc.record(
  { perActivity: fc.integer({ min: 1, max: 4 }), perLine: fc.integer({ min: 1, max: 2 }) },
  { requiredKeys: [] },
);

property.prop([fc.array(anyGiven, { maxLength: 6 }), anyLimits, fc.nat()], { numRuns: scaled(300) })(
  'the combination is allowed, gives as much as the best of all, and does not depend on the order of the offers',
  (fields, limits, turn) => {
    const inputs = fields.map((each, n) => ({ ...each, code: `C${n}` }));
    const byCode = new Map(inputs.map((each) => [each.code, each]));
    const { applied } = bestCombination(inputs.map(candidate), limits);
    const chosen = applied.map(
      ({ candidate: { code }, lines }) => ({ ...byCode.get(code), code, at: lines }) as Given & { at?: number[] },
    );
    const worth = chosen.reduce(
      (sum, { at, worth: own = 0, lines }) =>
        sum + (at ? at.reduce((all, line) => all + (lines?.[line] ?? 0), 0) : own),
      0,
    );
    expect(worth).toBe(greatestWorth(inputs, limits));
    expect(chosen.length).toBeLessThanOrEqual(limits.perActivity ?? 99);
    for (const [a, b] of pairsOf(chosen)) {
      if (a.at && b.at && !a.at.some((line) => b.at?.includes(line))) continue;
      expect(mayMeet(a, b)).toBe(true);
    }
    for (let line = 0; line < 3; line += 1) {
      expect(chosen.filter(({ at }) => at?.includes(line)).length).toBeLessThanOrEqual(limits.perLine ?? 99);
    }
    const turned = [...inputs.slice(turn % (inputs.length + 1)), ...inputs.slice(0, turn % (inputs.length + 1))];
    expect(appliedOf(turned, limits)).toEqual(appliedOf(inputs, limits));
  },
);
