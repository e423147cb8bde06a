import { actionTypes } from '#engine/rules/actions/list';
import { actionPhrase } from '#engine/rules/explain/actionPhrase';
import { explainRule } from '#engine/rules/explain/explainRule';
import { rule } from '../builders';

const value = { fact: 'activity', path: '$.value' };
const half = { of: value, times: 1.5, min: 1 };

describe('actionPhrase', () => {
  it.each<[string, { type: string; [param: string]: unknown }]>([
    ['add 1 point to the purse "P"', { type: 'addPoints', purse: 'P', points: 1 }],
    [
      'redeem points, 1.5 × the activity\'s value, rounded down, at least 1, from the purse "P"',
      { type: 'redeemPoints', purse: 'P', points: half },
    ],
    [
      'transfer points, 10 for each full 25 of the activity\'s value, from the purse "P" to the purse "Q"',
      { type: 'transferPoints', purse: 'P', points: { of: value, every: 25, points: 10 }, toPurse: 'Q' },
    ],
    [
      'add 2 × the activity\'s value to the metric "m"',
      { type: 'addMetric', metric: 'm', value: { of: value, times: 2 } },
    ],
    ['set the level in "Status" to "Gold"', { type: 'setTier', policy: 'Status', level: 'Gold' }],
    [
      'set the level in "Status" to "Gold" until "2027-12-31"',
      { type: 'setTier', policy: 'Status', level: 'Gold', until: '2027-12-31' },
    ],
    [
      'set the level in "Status" to "Gold" until the end of the year 1 year later',
      { type: 'setTier', policy: 'Status', level: 'Gold', for: { value: 1, unit: 'year', snap: 'endOfYear' } },
    ],
    [
      'set the level in "Status" to "Gold" for 90 days, kept by who has at least 10 of the metric "flights" in this time',
      {
        type: 'setTier',
        policy: 'Status',
        level: 'Gold',
        for: { value: 90, unit: 'day' },
        keep: { metric: 'flights', atLeast: 10 },
      },
    ],
    ['reject the activity: "No"', { type: 'reject', message: 'No' }],
    [
      'complete the referral, in the purse "P", 5 points to the member, 9 points to who referred it',
      { type: 'completeReferral', purse: 'P', points: 5, referrerPoints: 9 },
    ],
    ['send gift: box "red", count 3', { type: 'sendGift', box: 'red', count: 3 }],
  ])('an action is read as: %s', (phrase, action) => expect(actionPhrase(action)).toBe(phrase));

  it.each(actionTypes)('has words of its own for %s', (type) => {
    const input = { type, message: 'm', surprise: 'unknown' };
    expect(actionPhrase(input)).not.toContain('surprise');
  });
});

test('a whole rule is said in words', () => {
  const whole = rule({
    description: 'For friends.',
    effective: { from: new Date('2026-01-01') },
    hours: { days: ['Sat'] },
    segments: ['VIP'],
    perLine: true,
    conditions: { all: [{ ...value, operator: 'greaterThan', value: 10 }] },
    limits: [{ what: 'points', per: 'member', period: 'day', max: 500, onExceed: 'reject' }],
    budget: { points: 1000 },
    group: 'bonus',
    pick: 'highest',
    stop: true,
    tests: [
      { name: 'ten', activity: { type: 'Accrual', value: 10 }, expect: { points: { Points: 0 }, notFired: ['base'] } },
    ],
  });
  expect(explainRule(whole)).toEqual([
    'base: Rule base',
    '  in demo/base.json, program demo, active, priority 1',
    '  For friends.',
    'For each line item of',
    '  - Accrual',
    '  - from 1 January 2026, 00:00 (UTC)',
    "  - on Sat, by the program's clock",
    '  - members in one of the segments "VIP"',
    'When',
    "  - the activity's value is above 10",
    'Then',
    '  - add points, 1 × the activity\'s value, to the purse "Points"',
    'Within',
    '  - 500 points per member and day: beyond it, the activity is rejected',
    '  - a budget of 1000 points in all: beyond it, it gives what is left',
    'Order',
    '  - of the rules of the group "bonus", the one with the most points fires',
    '  - when it fires, no rule after it does',
    'Tests',
    '  - ten (Accrual): 0 in "Points"; not fired: base',
  ]);
});
