import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fc, test as property } from '@fast-check/jest';
import { ruleJsonSchema } from '../../src/engine/rules/editor/ruleJsonSchema';
import { parsedRule, type RuleFields } from '../src/rules/draft/parsedRule';
import { type Change, withChange } from '../src/rules/draft/ruleText';
import { factOptions } from '../src/rules/schema/factOptions';
import type { RuleSchema } from '../src/rules/schema/knownFacts';
import { factGroups, factsOfGroup } from '../src/rules/sentence/factGroups';
import { datesWords } from '../src/rules/sentence/periodWords';
import { addedCondition, countsWholePerLine, sentenceOf, withoutChip } from '../src/rules/sentence/sentence';

const root = path.resolve(__dirname, '../..');

/** Every rule of the repository. */
const rules = ['rules', 'examples']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(root, folder, name),
    ),
  )
  .filter((name) => name.endsWith('.json') && /rules\/[^/]+\/[^/]+\.json$/.test(name))
  .flatMap((name) => ([JSON.parse(readFileSync(name, 'utf8'))] as unknown[]).flat() as RuleFields[])
  .filter((rule) => typeof rule.key === 'string');

const changed = (rule: RuleFields, changes: readonly Change[]): RuleFields => {
  const parsed = parsedRule(changes.reduce(withChange, JSON.stringify(rule)));
  if (!('rule' in parsed)) throw new Error(parsed.fault);
  return parsed.rule;
};

const kindsOf = (rule: RuleFields) => sentenceOf(rule).map(({ kind }) => kind);

const ofCoffee = { fact: 'product', path: '$.category', operator: 'equal', value: 'Coffee' };
const whole = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const line = { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 };
const basic = {
  key: 'a',
  activityTypes: ['Accrual'],
  actions: [{ type: 'addPoints', purse: 'Points', points: whole }],
};

test('the sentence says the parts of a rule in the order in which they are read aloud', () => {
  const rule = {
    ...basic,
    tiers: ['Gold'],
    perLine: true,
    hours: { days: ['Tue'] },
    effective: { from: '2026-11-01', to: '2026-11-30' },
    conditions: { all: [{ fact: 'hour', operator: 'lessThan', value: 12 }, ofCoffee] },
    limits: [{ what: 'points', per: 'member', period: 'month', max: 500 }],
    budget: { points: 10_000 },
  };
  expect(kindsOf(rule)).toEqual(['whom', 'action', 'product', 'hours', 'effective', 'condition', 'limit', 'budget']);
});

test('what all must hold is a part each, and any other combination is one part', () => {
  const named = { condition: 'is a regular' };
  expect(kindsOf({ ...basic, conditions: { all: [named, { any: [ofCoffee] }] } })).toEqual([
    'whom',
    'action',
    'condition',
    'condition',
  ]);
  expect(kindsOf({ ...basic, conditions: { any: [ofCoffee] } })).toEqual(['whom', 'action', 'conditions']);
  expect(kindsOf({ ...basic, conditions: { all: [ofCoffee], name: 'x' } })).toEqual(['whom', 'action', 'conditions']);
});

test('a condition of a line makes the rule look at lines and their amounts, and back when it goes', () => {
  const added = changed(basic, addedCondition(basic, ofCoffee));
  expect(added).toEqual({
    ...basic,
    perLine: true,
    actions: [{ type: 'addPoints', purse: 'Points', points: line }],
    conditions: { all: [ofCoffee] },
  });
  const [chip] = sentenceOf(added).filter(({ kind }) => kind === 'product');
  expect(changed(added, withoutChip(added, chip as never))).toEqual({ ...basic, conditions: { all: [] } });
});

test('a second condition of a line changes nothing else, and the first that goes leaves the lines', () => {
  const both = changed(basic, addedCondition(basic, ofCoffee));
  const twice = changed(both, addedCondition(both, { ...ofCoffee, path: '$.brand' }));
  expect(twice).toMatchObject({ perLine: true, conditions: { all: [ofCoffee, { path: '$.brand' }] } });
  const [chip] = sentenceOf(twice).filter(({ kind }) => kind === 'product');
  expect(changed(twice, withoutChip(twice, chip as never))).toMatchObject({
    perLine: true,
    conditions: { all: [{ path: '$.brand' }] },
  });
});

test('a condition added to a combination of another kind keeps it whole', () => {
  const either = { any: [ofCoffee] };
  const rule = { ...basic, conditions: either };
  const hour = { fact: 'hour', operator: 'lessThan', value: 12 };
  expect(changed(rule, addedCondition(rule, hour)).conditions).toEqual({ all: [either, hour] });
});

test.each([
  [false, { ...basic }],
  [true, { ...basic, perLine: true }],
  [false, { ...basic, perLine: true, actions: [{ type: 'addPoints', purse: 'Points', points: line }] }],
  [false, { ...basic, perLine: true, actions: [{ type: 'addPoints', purse: 'Points', points: 5 }] }],
])('points of the whole purchase for each line are warned of: %s', (isWarned, rule) => {
  expect(countsWholePerLine(rule)).toBe(isWarned);
});

test('no rule of the repository is warned of', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter(countsWholePerLine).map(({ key }) => key)).toEqual([]);
});

describe('each part of each rule of the repository', () => {
  test('stands where its path says', () => {
    for (const rule of rules) {
      for (const { kind, path: at, value } of sentenceOf(rule)) {
        if (kind === 'whom') continue;
        expect(at.reduce((part: unknown, name) => (part as Record<string | number, unknown>)[name], rule)).toBe(value);
      }
    }
  });

  test('can be taken away, and nothing else goes with it but what belongs to it', () => {
    for (const rule of rules) {
      const before = sentenceOf(rule);
      for (const chip of before) {
        const after = changed(rule, withoutChip(rule, chip));
        const isStill = chip.kind === 'whom';
        expect(sentenceOf(after)).toHaveLength(before.length - (isStill ? 0 : 1));
        const { perLine: _line, actions: _actions, ...others } = after;
        const touched = chip.kind === 'whom' ? ['tiers', 'segments'] : [String(chip.path[0]), 'schedule', 'limits'];
        for (const [name, value] of Object.entries(others)) {
          if (!touched.includes(name)) expect(value).toEqual(rule[name]);
        }
      }
    }
  });
});

test('every fact of the schema is in exactly one group', () => {
  const schema = ruleJsonSchema() as unknown as RuleSchema;
  const options = factOptions(schema);
  const grouped = factGroups.flatMap((group) => factsOfGroup(options, group));
  expect(grouped.map(({ name }) => name).sort()).toEqual(options.map(({ name }) => name).sort());
  expect(factsOfGroup(options, 'line')[0]?.label).toBe('product category');
});

const translate = (key: string, values: Record<string, unknown> = {}) =>
  `${key.split('.').at(-1)} ${Object.values(values).join(' ')}`;

property.prop([fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })])(
  'a whole month is called by its name, and what is a day longer or shorter is not',
  (at) => {
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    const day = (of: number, n: number) => new Date(Date.UTC(year, of, n)).toISOString().slice(0, 10);
    const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
    const words = (from: string, to: string) => datesWords({ from, to }, { translate, locale: 'en', zone: 'UTC' });
    expect(words(day(month, 1), day(month + 1, 0))).toBe(name);
    expect(words(day(month, 2), day(month + 1, 0))).toContain('both');
    expect(words(day(month, 1), day(month + 1, 1))).toContain('both');
  },
);
