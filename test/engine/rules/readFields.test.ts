import { base, faultsOf } from './sampleRules';

describe('fields of a rule', () => {
  it.each<[string, unknown, unknown[]]>([
    ['a list of nothing', [], []],
    ['no rule', 5, ['5: a rule is an object, { "key": ... }; this is a number']],
    ['a missing field', { ...base, name: undefined }, ['{"key":"base: name is required']],
    [
      'an unknown field',
      { ...base, prioriti: 5 },
      ['"prioriti":5: unknown field "prioriti" (did you mean "priority"?)'],
    ],
    [
      'facts of line items in a rule that is not for line items',
      { ...base, conditions: { all: [{ fact: 'product', path: '$.sku', operator: 'equal', value: 'A' }] } },
      ['{"all":[{"fa: the fact "product" needs "perLine": true'],
    ],
    ['priority 0', { ...base, priority: 0 }, ['0}: priority must be >= 1']],
    ['no actions', { ...base, actions: [] }, ['[]}: actions must NOT have fewer than 1 items']],
    [
      'a date that is none',
      { ...base, effective: { from: '2020-02-30T00:00:00Z' } },
      ['"2020-02-30T: from must be a date in one of the accepted formats, such as 2026-01-31T13:45:00.000Z'],
    ],
    [
      'a time that ends before it begins',
      { ...base, effective: { from: '2020-01-02T00:00:00Z', to: '2020-01-01T00:00:00Z' } },
      ['"2020-01-01T: to must be later than from'],
    ],
    [
      'hours of no length',
      { ...base, hours: { from: '08:00', to: '08:00' } },
      ['{"from":"08:: from and to are the same time; leave both out for the whole day'],
    ],
    [
      'a wrong day',
      { ...base, hours: { days: ['Sut'] } },
      ['"Sut"]}}: days[0] must be one of Sun, Mon, Tue, Wed, Thu, Fri, Sat (did you mean "Sun"?)'],
    ],
    [
      'an unknown activity type',
      { ...base, activityTypes: ['Acrual'] },
      ['"Acrual"],"c: unknown activity type "Acrual" (did you mean "Accrual"?)'],
    ],
    ['an unknown segment', { ...base, segments: ['VIPs'] }, ['"VIPs"]}: unknown segment "VIPs" (did you mean "VIP"?)']],
    ['an unknown tier', { ...base, tiers: ['Gald'] }, ['"Gald"]}: unknown tier level "Gald" (did you mean "Gold"?)']],
    ['a group without pick', { ...base, group: 'g' }, ['"g"}: a group needs "pick": all, first, highest or lowest']],
    ['pick without group', { ...base, pick: 'first' }, ['"pick":"firs: "pick" needs a "group"']],
    [
      'two limits that count the same',
      {
        ...base,
        limits: [
          { what: 'times', per: 'member', period: 'day', max: 1 },
          { what: 'times', per: 'member', period: 'day', max: 2 },
        ],
      },
      ['{"what":"tim: counts the same as limits[0]; one of them is enough'],
    ],
  ])('are refused: %s', async (_, rule, expected) => {
    expect(await faultsOf(rule)).toEqual(expected);
  });
});
