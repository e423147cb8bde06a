import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import { referenceEvaluator } from '#engine/rules/evaluate/referenceEvaluator';
import { activity, award, decideWith } from '../builders';

/** Facts whose elements are compared with `X`, and whether every one is equal to it, and some. */
const facts: [string, object, string, { every: boolean; some: boolean }][] = [
  ['no line items', { lineItems: [] }, '$.lineItems[*].itemSKU', { every: true, some: false }],
  ['line items without one', { lineItems: [{ quantity: 1 }] }, '$.lineItems[*].itemSKU', { every: true, some: false }],
  ['one that is', { lineItems: [{ itemSKU: 'X' }] }, '$.lineItems[*].itemSKU', { every: true, some: true }],
  [
    'one that is not',
    { lineItems: [{ itemSKU: 'X' }, { itemSKU: 'Y' }] },
    '$.lineItems[*].itemSKU',
    { every: false, some: true },
  ],
  ['an empty list', { ext: { list: [] } }, '$.ext.list', { every: true, some: false }],
  ['the elements of an empty list', { ext: { list: [] } }, '$.ext.list[*]', { every: true, some: false }],
  ['a missing list', { ext: {} }, '$.ext.list', { every: true, some: false }],
  ['the elements of a missing list', { ext: {} }, '$.ext.list[*]', { every: true, some: false }],
  ['null', { ext: { list: null } }, '$.ext.list', { every: true, some: false }],
  ['the elements of null', { ext: { list: null } }, '$.ext.list[*]', { every: true, some: false }],
  ['a list', { ext: { list: ['X'] } }, '$.ext.list', { every: true, some: true }],
  ['the elements of a list', { ext: { list: ['X', 'Y'] } }, '$.ext.list[*]', { every: false, some: true }],
];

/** Spellings of "every one is X" and of its negation. */
const spellings: [operator: string, negated: boolean, inNot: boolean][] = [
  ['everyFact:equal', false, false],
  ['not:everyFact:equal', true, false],
  ['not:not:everyFact:equal', false, false],
  ['everyFact:not:notEqual', false, false],
  ['not:someFact:not:equal', false, false],
  ['not:someFact:notEqual', false, false],
  ['someFact:notEqual', true, false],
  ['someFact:notEqual', false, true],
  ['everyFact:equal', true, true],
];

describe.each(facts)('of %s', (_name, input, path, { every, some }) => {
  const evaluators = { compiled: compiledEvaluator(), reference: referenceEvaluator() };
  const holds = async (operator: string, inNot: boolean, evaluator: keyof typeof evaluators) => {
    const comparison = { fact: 'activity', path, operator, value: 'X' };
    const conditions = { all: [inNot ? { not: comparison } : comparison] };
    const one = { activity: activity(input), evaluator: evaluators[evaluator] };
    const { decision } = await decideWith([award('a', 1, { conditions })], one);
    return decision.ruleMatch[0]?.fired === true;
  };
  const both = async (operator: string, inNot = false) => [
    await holds(operator, inNot, 'compiled'),
    await holds(operator, inNot, 'reference'),
  ];

  it.each(spellings)('%s (negated: %s, in not: %s) says whether every value is', async (operator, negated, inNot) => {
    expect(await both(operator, inNot)).toEqual([every !== negated, every !== negated]);
  });

  it('someFact says whether some value is', async () => {
    expect(await both('someFact:equal')).toEqual([some, some]);
    expect(await both('not:someFact:equal')).toEqual([!some, !some]);
  });
});
