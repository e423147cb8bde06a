import { actionTypes } from '#engine/rules/actions/list';
import { ruleJsonSchema } from '#engine/rules/editor/ruleJsonSchema';
import { operators } from '#engine/rules/language/operators';
import { stopwatch } from '../../../support/givenTime';
import { quickAjv } from '../../../support/quickAjv';
import { definitions } from '../sampleRules';

const fits = quickAjv({ formats: { date: true } }).compile(ruleJsonSchema());
const rule = {
  key: 'a',
  name: 'A',
  activityTypes: ['Accrual'],
  conditions: { all: [{ any: [{ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 0 }] }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
};

describe('ruleJsonSchema', () => {
  it.each<[string, unknown]>([
    ['a rule', rule],
    ['a list of rules and named conditions', [rule, { namedCondition: 'n', conditions: { all: [] } }]],
    ['a table', { ...rule, table: { columns: { a: { fact: 'hour', operator: 'equal' } }, csv: 'a.csv' } }],
    [
      'a table with its rows',
      { ...rule, table: { columns: { a: { set: '$.name' }, id: { key: true } }, rows: [{ a: 'x', id: 'y' }] } },
    ],
    ['decorators', { ...rule, conditions: { all: [{ fact: 'hour', operator: 'not:in', value: [1] }] } }],
  ])('accepts %s', (_, value) => {
    expect([fits(value), fits.errors]).toEqual([true, null]);
  });

  it.each<[string, unknown]>([
    ['a misspelt field', { ...rule, prority: 1 }],
    ['a misspelt fact', { ...rule, conditions: { all: [{ fact: 'activty', operator: 'equal', value: 1 }] } }],
    ['a misspelt operator', { ...rule, conditions: { all: [{ fact: 'hour', operator: 'equals', value: 1 }] } }],
    ['a misspelt action', { ...rule, actions: [{ type: 'addPoint', purse: 'Points', points: 1 }] }],
    ['a misspelt parameter', { ...rule, actions: [{ type: 'addPoints', purse: 'Points', point: 1 }] }],
    [
      'a misspelt operator of a column',
      { ...rule, table: { columns: { a: { fact: 'hour', operator: 'equals' } }, csv: 'a.csv' } },
    ],
    ['a table in another folder', { ...rule, table: { columns: { a: { set: '$.name' } }, csv: '../a.csv' } }],
    ['all and any in one node', { ...rule, conditions: { all: [], any: [] } }],
  ])('refuses %s', (_, value) => {
    expect(fits(value)).toBe(false);
  });

  it('knows every operator and action, and of the internal keywords only those of forms', () => {
    const text = JSON.stringify(ruleJsonSchema());
    for (const name of [...Object.keys(operators), ...actionTypes]) expect(text).toContain(`"${name}"`);
    // What forms say of fields stays.
    expect(text).not.toMatch(/"x-(?!form")/);
  });
});

it('the schema is made fast, even for an org with thousands of segments', () => {
  const segments = Array.from({ length: 5000 }, (_, n) => `Segment ${n}`);
  const takenMs = stopwatch();
  expect(JSON.stringify(ruleJsonSchema({ ...definitions, segments }))).toContain("$.segmentSince['Segment 4999']");
  expect(takenMs()).toBeLessThan(3000);
});
