import type { WorstBody } from './worstBodies';

const comparison = { fact: 'activity', path: '$.value', operator: 'equal', value: 1 };
const rule = {
  key: 'r',
  name: 'R',
  activityTypes: ['Accrual'],
  conditions: { all: [comparison, comparison] },
  actions: [{ type: 'log', message: 'a'.repeat(200) }],
};

const fileOf = (text: string) => JSON.stringify({ files: [{ path: 'main/a.json', text }] });
const fileBytes = 1_048_000;

/** Kinds of rule files that are as costly as one file may be. */
export const ruleFiles: WorstBody[] = [
  ['a file of empty objects', () => fileOf(`[${'{},'.repeat(99_000)}{}]`)],
  [
    'a file of distinct names',
    () => fileOf(`[${Array.from({ length: 19_900 }, (_unused, n) => `{"k${n}":1}`).join(',')}]`),
  ],
  ['a file of one long text', () => fileOf(JSON.stringify([{ key: 'a'.repeat(fileBytes - 100) }]))],
  ['a file of escapes', () => fileOf(`["${'\\n'.repeat(fileBytes / 2 - 10)}"]`)],
  ['a file of line ends', () => fileOf(`[${'\n'.repeat(fileBytes - 10)}]`)],
  ['a file of brackets', () => fileOf('['.repeat(fileBytes))],
  [
    'a file of 1,000 rules',
    () => fileOf(JSON.stringify(Array.from({ length: 1000 }, (_unused, n) => ({ ...rule, key: `r${n}` })))),
  ],
  [
    'a file of one rule of 8,000 conditions',
    () => fileOf(JSON.stringify([{ ...rule, conditions: { all: Array.from({ length: 8000 }, () => comparison) } }])),
  ],
];
