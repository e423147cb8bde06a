import { limitPhrase } from '#engine/rules/explain/limitPhrase';
import type { Limit } from '#engine/rules/format/limitShape';
import { readRules } from '#engine/rules/read/readRules';
import { base, definitions, faultsOf, file } from '../sampleRules';

const limit = { what: 'points', per: 'member', period: 'day', max: 9 };
const value = { fact: 'activity', path: '$.value' };
const computed = [{ type: 'addPoints', purse: 'Points', points: { of: value, times: 2 } }];

it.each<[string, object, string[]]>([
  [
    'an unknown period',
    { period: 'dya' },
    [
      '"dya","max":: period must be one of transaction, day, week, month, quarter, year, lifetime (did you mean "day"?)',
    ],
  ],
  [
    'an unknown unit',
    { period: { last: 2, unit: 'dayz' } },
    ['"dayz"},"max: unit must be one of hour, day, week, month (did you mean "day"?)'],
  ],
  ['a window without unit', { period: { last: 2 } }, ['{"last":2},": unit is required']],
  [
    'a window that is too long',
    { period: { last: 740, unit: 'day' } },
    ['740,"unit":": last must be at most 732 for the unit day'],
  ],
  ['a year of something else', { period: { year: 'birth' } }, ['"birth"},"ma: year must be one of enrolment']],
  [
    'a day that does not exist',
    { period: { from: '2026-02-30', to: '2026-03-01' } },
    ['"2026-02-30": from must match format "date"'],
  ],
  [
    'dates in the wrong order',
    { period: { from: '2026-03-02', to: '2026-03-01' } },
    ['"2026-03-01": to must not be before from'],
  ],
  ['a date without its end', { period: { from: '2026-03-02' } }, ['{"from":"202: to is required']],
  [
    'the own year of an account',
    { per: 'account', period: { year: 'enrolment' } },
    ['"account","p: only a member has a year of its own: this period needs "per": "member"'],
  ],
  ['per product without perLine', { per: 'product' }, ['"product","p: "per": "product" needs "perLine": true']],
  [
    'an amount of fixed points',
    { what: 'amount' },
    ['"amount","pe: a limit of amount needs one action addPoints whose points are computed from a fact'],
  ],
])('a limit with %s is refused', async (_, changes, expected) => {
  expect(await faultsOf({ ...base, limits: [{ ...limit, ...changes }] })).toEqual(expected);
});

it.each([
  [{ period: { last: 72, unit: 'hour' } }],
  [{ period: { year: 'enrolment' } }],
  [{ period: { from: '2026-10-01', to: '2026-12-31' } }],
  [{ what: 'amount', per: 'account', period: 'quarter' }],
  [{ per: 'coupon', limitGroup: 'any' }],
])('a limit with %j is accepted', async (changes) => {
  expect(await faultsOf({ ...base, actions: computed, limits: [{ ...limit, ...changes }] })).toEqual([]);
});

it('a window is known by its fields, in whatever order they are', async () => {
  const [one, other] = [
    { last: 3, unit: 'day' },
    { unit: 'day', last: 3 },
  ];
  const limits = [
    { ...limit, period: one },
    { ...limit, period: other },
  ];
  expect(await faultsOf({ ...base, limits }, 1)).toEqual(['{: counts the same as limits[0]; one of them is enough']);
  const grouped = limits.map((each, n) => ({ ...base, key: `r${n}`, limits: [{ ...each, limitGroup: 'g' }] }));
  expect((await readRules([file(grouped)], definitions)).errors).toEqual([]);
});

describe('limits of one group', () => {
  const errorsOf = async (first: object, second: object, more: object = {}) => {
    const rules = [
      { ...base, limits: [{ ...limit, limitGroup: 'g', ...first }] },
      { ...base, key: 'other', limits: [{ ...limit, limitGroup: 'g', ...second }], ...more },
    ];
    const { errors } = await readRules([file(rules)], definitions);
    return errors.map(({ message }) => message);
  };

  it.each([
    ['max', 9, 8],
    ['period', '"day"', 'week'],
    ['per', '"member"', 'program'],
    ['what', '"points"', 'times'],
  ])('must agree in %s; the fault names both places', async (field, known, wrong) => {
    expect(await errorsOf({}, { [field]: wrong })).toEqual([
      `the limit group "g" has "${field}": ${known} by "base" in demo/a.json, line 1`,
    ]);
  });

  it('may differ in onExceed, and have each rule once', async () => {
    expect(await errorsOf({}, { onExceed: 'skip' })).toEqual([]);
    const twice = { limits: [1, 2].map(() => ({ ...limit, limitGroup: 'g' })) };
    expect(await errorsOf({}, {}, twice)).toEqual(['counts the same as limits[0]; one of them is enough']);
  });
});

it.each<[string, Partial<Limit>]>([
  ['9 points per member and day', {}],
  ['9 points per account in any 7 days', { per: 'account', period: { last: 7, unit: 'day' } }],
  ['9 times per coupon in any 1 hour', { what: 'times', per: 'coupon', period: { last: 1, unit: 'hour' } }],
  ['the first 9 of what earns per member and year since enrolment', { what: 'amount', period: { year: 'enrolment' } }],
  [
    '9 points in the whole program from 2026-10-01 to 2026-12-31',
    { per: 'program', period: { from: '2026-10-01', to: '2026-12-31' } },
  ],
  [
    '9 points per member and transaction, together with all limits of the group "g"',
    { period: 'transaction', limitGroup: 'g' },
  ],
])('a limit is said in words: %s', (phrase, changes) => {
  expect(limitPhrase({ ...limit, onExceed: 'reduce', ...changes } as Limit)).toBe(phrase);
});
