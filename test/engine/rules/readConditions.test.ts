import { readRules } from '#engine/rules/read/readRules';
import { base, definitions, faultsOf, file, value, withCondition } from './sampleRules';

describe('conditions of a rule', () => {
  it.each<[string, unknown, unknown[]]>([
    [
      'an unknown fact',
      { ...value, fact: 'activiti' },
      ['"activiti",": unknown fact "activiti" (did you mean "activity"?)'],
    ],
    [
      'a misspelt fact of line items',
      { ...value, fact: 'lineItems' },
      ['"lineItems",: unknown fact "lineItems" (did you mean "lineItem"?)'],
    ],
    [
      'an unknown operator',
      { ...value, operator: 'greatherThan' },
      ['"greatherTha: unknown operator "greatherThan" (did you mean "greaterThan"?)'],
    ],
    ['an unknown decorator', { ...value, operator: 'some:equal' }, ['"some:equal": unknown decorator "some"']],
    [
      'an unknown named list',
      { ...value, path: '$.srcChannelID', operator: 'inNamedList', value: 'Big store' },
      ['"Big store"}: unknown named list "Big store" (did you mean "Big stores"?)'],
    ],
    [
      'inNamedList of a number',
      { ...value, operator: 'inNamedList', value: 'Big stores' },
      ['"inNamedList: inNamedList does not fit activity $.value, which is a number'],
    ],
    [
      'inNamedList with a list of no name',
      { ...value, path: '$.srcChannelID', operator: 'inNamedList', value: 5 },
      ['5}]},"action: inNamedList needs the name of a named list'],
    ],
    [
      'a misspelt path',
      { ...value, path: '$.valeu' },
      ['"$.valeu","o: activity $.valeu: unknown "valeu" (did you mean "value"?)'],
    ],
    [
      'a misspelt purse',
      { ...value, fact: 'member', path: "$.purse['Bonus Point'].balance" },
      [`"$.purse['Bo: member $.purse['Bonus Point'].balance: unknown "Bonus Point" (did you mean "Bonus Points"?)`],
    ],
    [
      'a path outside the grammar',
      { ...value, path: '$..value' },
      [
        `"$..value",": a path looks like $.value, $.lineItems[*].itemSKU or $.purse['Bonus Points']; it has no filters, scripts or ".."`,
      ],
    ],
    [
      'a filter, which would be code',
      { ...value, path: '$.lineItems[?(@.quantity>1)]' },
      [
        `"$.lineItems: a path looks like $.value, $.lineItems[*].itemSKU or $.purse['Bonus Points']; it has no filters, scripts or ".."`,
      ],
    ],
    [
      'a name after a list',
      { ...value, path: '$.lineItems.quantity' },
      [
        '"$.lineItems: activity $.lineItems.quantity: "quantity" stands after a list; use [*] for every element, or [0]',
      ],
    ],
    [
      'params that a fact has not',
      { ...value, params: { a: 1 } },
      ['{"a":1}}]},": the fact "activity" takes no params'],
    ],
    [
      'a number against a text',
      { ...value, value: '5' },
      ['"5"}]},"acti: activity $.value is a number, and "5" is a text'],
    ],
    [
      'greaterThan of a text',
      { ...value, path: '$.type' },
      ['"greaterThan: greaterThan does not fit activity $.type, which is a text'],
    ],
    [
      'contains of a number',
      { ...value, operator: 'contains' },
      ['"contains",": contains does not fit activity $.value, which is a number'],
    ],
    [
      'equal of a list',
      { ...value, path: '$.lineItems[*].quantity', operator: 'equal' },
      [
        '"equal","val: equal does not fit activity $.lineItems[*].quantity, which is a list; use someFact:equal or everyFact:equal',
      ],
    ],
    [
      'someFact of a number',
      { ...value, operator: 'someFact:equal' },
      ['"someFact:eq: someFact needs a list, and activity $.value is a number'],
    ],
    [
      'in without a list',
      { ...value, operator: 'in', value: 5 },
      ['5}]},"action: in needs a list, such as ["a", "b"]'],
    ],
    [
      'in with a wrong element',
      { ...value, operator: 'in', value: [5, 'x'] },
      ['[5,"x"]}]},": activity $.value is a number, and "x" is a text'],
    ],
    [
      'a date that is none',
      { fact: 'activity', path: '$.date', operator: 'before', value: 'soon' },
      ['"soon"}]},"a: activity $.date is a date, and "soon" is not one, such as "2026-01-31T00:00:00Z"'],
    ],
    [
      'between one value',
      { ...value, operator: 'between', value: [1] },
      ['[1]}]},"acti: between needs a list of two values, lowest first'],
    ],
    [
      'withinDays of a text',
      { fact: 'member', path: '$.enrolledAt', operator: 'withinDays', value: '30' },
      ['"30"}]},"act: withinDays needs a number of days, 0 or more, or such as {"days": 7, "direction": "past"}'],
    ],
    [
      'withinDays with a misspelt direction',
      { fact: 'member', path: '$.enrolledAt', operator: 'withinDays', value: { days: 3, direction: 'pats' } },
      ['{"days":3,"d: unknown direction "pats" (did you mean "past"?)'],
    ],
    [
      'a clock that is none',
      { fact: 'hour', params: { clock: 'store' }, operator: 'equal', value: 3 },
      ['"store"},"op: clock must be one of program, location'],
    ],
    [
      'a regular expression with look-ahead',
      { fact: 'activity', path: '$.type', operator: 'matches', value: '(?=a)' },
      [expect.stringContaining('not a regular expression that RE2 knows')],
    ],
    [
      'isEmpty of a text',
      { fact: 'activity', path: '$.type', operator: 'isEmpty', value: 'yes' },
      ['"yes"}]},"ac: isEmpty needs true or false'],
    ],
    [
      'a fact against a fact of another type',
      { ...value, value: { fact: 'now' } },
      ['{"fact":"now: activity $.value is a number, and now is a date'],
    ],
    [
      'a fact to compare with that is unknown',
      { ...value, value: { fact: 'nwo' } },
      ['"nwo"}}]},"a: unknown fact "nwo" (did you mean "now"?)'],
    ],
    [
      'no value',
      { ...value, value: undefined },
      ['{"fact":"act: a condition is all, any, not, condition or a comparison; this one has no value'],
    ],
    [
      'a misspelt field',
      { ...value, parms: {} },
      ['"parms":{}}]: "parms" is not a field of a condition (did you mean "params"?)'],
    ],
    ['priority 0', { ...value, priority: 0 }, ['0}]},"action: priority must be a whole number from 1 to 1000000']],
    [
      'two words in one node',
      { all: [], any: [value] },
      ['"any":[{"fac: "all" and "any" stand in one condition; nest one in the other'],
    ],
    [
      'an empty any',
      { any: [] },
      ['[]}]},"actio: an empty "any" says nothing; leave it out, or use {"all": []} for always'],
    ],
    ['all that is no list', { all: value }, ['{"fact":"act: "all" must be a list of conditions']],
    ['not with a list', { not: [value] }, ['[{"fact":"ac: "not" holds one condition, not a list']],
    ['no object', 'always', ['"always"]},": a condition is an object']],
    ['an unknown named condition', { condition: 'weekend' }, ['"weekend"}]}: unknown named condition "weekend"']],
  ])('are refused: %s', async (_, condition, expected) => {
    expect(await faultsOf(withCondition(condition))).toEqual(expected);
  });

  it('are refused when the outermost one is a comparison, as by json-rules-engine', async () => {
    expect(await faultsOf({ ...base, conditions: value })).toEqual([
      '{"fact":"act: the outermost condition must be all, any, not or condition: {"all": [ ... ]}',
    ]);
  });

  it.each<[string, unknown]>([
    ['an empty all', { all: [] }],
    ['decorators', { ...value, path: '$.lineItems[*].quantity', operator: 'everyFact:not:in', value: [1, 2] }],
    ['the length of a list', { ...value, path: '$.lineItems.length' }],
    ['extension fields of any name', { ...value, path: '$.ext.anything.at[0].all' }],
    [
      'dates by instant',
      { fact: 'activity', path: '$.date', operator: 'between', value: ['2026-01-01', '2026-02-01T00:00:00Z'] },
    ],
    ['a fact against a fact', { ...value, value: { fact: 'member', path: '$.purse.Points.availBalance' } }],
    ['null', { fact: 'activity', path: '$.partnerCode', operator: 'equal', value: null }],
    ['swap', { fact: 'activity', path: '$.type', operator: 'swap:contains', value: ['Accrual'] }],
    ['someValue', { fact: 'activity', path: '$.type', operator: 'someValue:startsWith', value: ['Acc', 'Red'] }],
  ])('are accepted: %s', async (_, condition) => {
    expect(await faultsOf(withCondition(condition))).toEqual([]);
  });

  it('get a warning when they can never be true or name a metric that looks misspelt', async () => {
    const rule = {
      ...withCondition({ fact: 'member', path: '$.tier.Status', operator: 'equal', value: 'Gould' }),
      actions: [{ type: 'addMetric', metric: 'onlineSpent', value: 1 }],
    };
    const { rules, errors, warnings } = await readRules([file(rule)], definitions);
    expect(errors).toEqual([]);
    expect(rules).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      'member $.tier.Status is never "Gould" (did you mean "Gold"?)',
      '"onlineSpent" is a new metric (did you mean "onlineSpend"?)',
    ]);
  });

  it('are bounded in depth and number', async () => {
    const nest = (depth: number): unknown => (depth === 0 ? value : { not: nest(depth - 1) });
    expect(await faultsOf(withCondition(nest(30)))).toEqual([]);
    expect(await faultsOf(withCondition(nest(31)))).toEqual(['{"fact":"act: conditions nest deeper than 32 levels']);
    const many = (count: number) => ({ ...base, conditions: { all: Array.from({ length: count }, () => value) } });
    expect(await faultsOf(many(499))).toEqual([]);
    expect(await faultsOf(many(500))).toEqual(['{"all":[{"fa: these are 501 conditions; a rule has at most 500']);
  });
});
