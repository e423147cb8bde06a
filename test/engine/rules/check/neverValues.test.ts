import { tierMetricWarnings } from '#engine/rules/check/tierMetricWarnings';
import { readRules } from '#engine/rules/read/readRules';
import { tableDefinitions } from '../tables/tableDefinitions';

const definitions = {
  ...tableDefinitions,
  codes: { channels: ['POS', 'Web'], partners: ['FUEL'], categories: ['Coffee', 'Tea'], skus: ['A-100'] },
};

/** Reads a rule with one condition and one action. Returns faults and warnings as `line:column message`. */
async function read(condition: object, action: object = { type: 'log', message: 'Hello' }) {
  const rule = { key: 'a', name: 'A', activityTypes: ['Accrual'], conditions: { all: [condition] }, actions: [action] };
  const { errors, warnings } = await readRules(
    [{ path: 'demo/a.json', text: JSON.stringify(rule, null, 1) }],
    definitions,
  );
  return [errors, warnings].map((faults) => faults.map(({ line, column, message }) => `${line}:${column} ${message}`));
}
const channel = { fact: 'activity', path: '$.srcChannelType' };

/** A comparison of what was spent on the products of a filter. */
function filtered(inclusionParams: object, more: object = {}) {
  return {
    fact: 'eligibleAmount',
    params: { filter: { inclusionParams, ...more } },
    operator: 'greaterThan',
    value: 10,
  };
}

describe('a metric of a tier policy', () => {
  it.each([
    ['that activities count', { metric: 'spend' }, []],
    ['that is points of a purse', { metric: 'pointsEarned:Points' }, []],
    ['that a rule counts', { metric: 'miles' }, []],
    [
      'of a wrong name',
      { metric: 'mile' },
      ['no rule counts the metric "mile" (did you mean "miles"?) of the tier policy "Status"'],
    ],
    ['that nothing counts', { metric: 'nights' }, ['no rule counts the metric "nights" of the tier policy "Status"']],
  ])('%s: warnings', (_, { metric }, expected) => {
    const level = { name: 'Gold', number: 1, threshold: 5, lifetime: { metric, atLeast: 5 } };
    const policy = { name: 'Status', basis: { metric, period: 'year' }, levels: [level] };
    const program = { code: 'demo', purses: ['Points'], records: { tierPolicies: [policy] } };
    const warnings = tierMetricWarnings(program as unknown as Parameters<typeof tierMetricWarnings>[0], ['miles']);
    expect(warnings.map(({ message }) => message)).toEqual(expected);
    expect(warnings.every(({ file, line }) => file === 'demo' && line === 1)).toBe(true);
  });
});

describe('a value that never occurs is a warning with a proposal', () => {
  it.each<[string, object, string]>([
    [
      'a channel',
      { ...channel, operator: 'equal', value: 'Webb' },
      '13:14 activity $.srcChannelType is never "Webb" (did you mean "Web"?)',
    ],
    [
      'one channel of several',
      { ...channel, operator: 'in', value: ['POS', 'Webb'] },
      '13:14 activity $.srcChannelType is never "Webb" (did you mean "Web"?)',
    ],
    [
      'a partner of the activity',
      { fact: 'activity', path: '$.partnerCode', operator: 'equal', value: 'FUELL' },
      '13:14 activity $.partnerCode is never "FUELL" (did you mean "FUEL"?)',
    ],
    [
      'a partner',
      { fact: 'partner', path: '$.code', operator: 'notEqual', value: 'fuel' },
      '13:14 partner $.code is never "fuel" (did you mean "FUEL"?)',
    ],
    [
      'a category of a filter',
      filtered({ category: { searchStr: 'Tea,Cofee' } }),
      '14:20 no product has the category "Cofee" (did you mean "Coffee"?)',
    ],
    [
      'an excluded SKU of a filter',
      filtered({ sku: { searchStr: 'A-10', isIncluded: false } }),
      '14:15 no product has the SKU "A-10" (did you mean "A-100"?)',
    ],
  ])('%s', async (_, condition, warning) => {
    expect(await read(condition)).toEqual([[], [warning]]);
  });

  it('but not when it is a known category or SKU, or a pattern', async () => {
    const known = { category: { searchStr: 'Coffee,Tea' }, sku: { searchStr: 'A-100' } };
    expect(await read(filtered(known))).toEqual([[], []]);
    const pattern = filtered({ category: { searchStr: 'Cof*' } }, { isWildCardSearch: true });
    expect(await read(pattern)).toEqual([[], []]);
  });

  it('but not when it is known, nor while the codes are unknown', async () => {
    expect(await read({ ...channel, operator: 'equal', value: 'Web' })).toEqual([[], []]);
    const { codes: _codes, ...unknown } = definitions;
    const text = JSON.stringify({
      key: 'a',
      name: 'A',
      activityTypes: ['Accrual'],
      actions: [{ type: 'log', message: 'Hello' }],
      conditions: { all: [{ ...channel, operator: 'equal', value: 'Webb' }] },
    });
    expect(await readRules([{ path: 'demo/a.json', text }], unknown)).toMatchObject({ errors: [], warnings: [] });
  });
});

describe('a rule that never makes sense has a fault:', () => {
  const object =
    'a value is a text, a number, true, false, null or a list; an object is the value of a fact: {"fact": …}';
  it.each<[string, unknown, string]>([
    ['an object', { a: 1 }, `13:14 ${object}`],
    ['an object in a list', ['x', {}], `13:14 ${object}`],
    ['a fact in a list', ['x', { fact: 'hour' }], '13:14 the value of a fact stands alone; it is not read in a list'],
    ['a misspelt fact', { fct: 'hour' }, `13:14 ${object} (did you mean "fact"?)`],
  ])('%s where a value belongs', async (_, value, fault) => {
    const operator = Array.isArray(value) ? 'in' : 'equal';
    expect(await read({ fact: 'activity', path: '$.ext.any', operator, value })).toEqual([[fault], []]);
  });

  it.each(['addPoints', 'redeemPoints'])('%s of less than no points', async (type) => {
    const hour = { fact: 'hour', operator: 'equal', value: 1 };
    expect(await read(hour, { type, purse: 'Points', points: -5 })).toEqual([
      ['20:14 points must be 0 or more; it is -5'],
      [],
    ]);
    expect(await read(hour, { type, purse: 'Points', points: 0 })).toEqual([[], []]);
  });
});
