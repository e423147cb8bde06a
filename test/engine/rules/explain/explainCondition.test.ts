import { comparisonSentence, conditionLines, failedSentence } from '#engine/rules/explain/explainCondition';
import { factNames } from '#engine/rules/format/facts';
import type { Comparison, Condition } from '#engine/rules/language/condition';
import { decorators, operators } from '#engine/rules/language/operators';
import { factPhrase, type ShownRef } from '#engine/rules/words/factPhrase';

const value = { fact: 'activity', path: '$.value' };
const skus = { fact: 'activity', path: '$.lineItems[*].itemSKU' };
const channel = { fact: 'activity', path: '$.srcChannelType' };

const phrases: [string, ShownRef][] = [
  ["the activity's value", value],
  ["the activity's source channel type", channel],
  ["the item SKU of the activity's line items", skus],
  ["the quantity of element 1 of the activity's line items", { fact: 'activity', path: '$.lineItems[0].quantity' }],
  ["the number of the activity's line items", { fact: 'activity', path: '$.lineItems.length' }],
  ["the activity's ext.storeTier", { fact: 'activity', path: '$.ext.storeTier' }],
  ["the balance of the member's purse Bonus Points", { fact: 'member', path: "$.purse['Bonus Points'].balance" }],
  ["the member's level in Status", { fact: 'member', path: '$.tier.Status' }],
  ["the number of the member's level in Status", { fact: 'member', path: '$.tierNumber.Status' }],
  ["the elements of the member's tier", { fact: 'member', path: '$.tier[*]' }],
  ["the member's spend of the month", { fact: 'aggregate', params: { metric: 'spend', period: 'month' } }],
  [
    "the member's visits of the last 7 days",
    { fact: 'aggregate', params: { metric: 'visits', period: { last: 7, unit: 'day' } } },
  ],
  [
    "the member's visits of the last hour",
    { fact: 'aggregate', params: { metric: 'visits', period: { last: 1, unit: 'hour' } } },
  ],
  [
    "the member's spend of the member's year since enrolment",
    { fact: 'aggregate', params: { metric: 'spend', period: { year: 'enrolment' } } },
  ],
  ["the days since the member's last visit", { fact: 'daysSince', params: { of: 'lastVisit' } }],
  ["the days since the member's birthday", { fact: 'daysSince', params: { of: 'birthday' } }],
  ['the days since the member reached its level in Status', { fact: 'daysSince', params: { of: { tier: 'Status' } } }],
  ['the days since the member joined the segment VIP', { fact: 'daysSince', params: { of: { segment: 'VIP' } } }],
  ["the month of the member's birth", { fact: 'birthMonth' }],
  [
    "the member's spend of the member's year since its level in Status",
    { fact: 'aggregate', params: { metric: 'spend', period: { year: { tier: 'Status' } } } },
  ],
  [
    "the number of multiples of 10 that the activity carries the member's visits so far over",
    { fact: 'crossed', params: { metric: 'visits', period: 'lifetime', every: 10 } },
  ],
  [
    "the number of thresholds (500, 1000) that the activity carries the member's spend from 2026-10-01 to 2026-12-31 over",
    { fact: 'crossed', params: { metric: 'spend', period: { from: '2026-10-01', to: '2026-12-31' }, at: [500, 1000] } },
  ],
  ["the member's visits so far", { fact: 'aggregate', params: { metric: 'visits', period: 'lifetime' } }],
  ['the day of the week', { fact: 'dayOfWeek' }],
  ['the activity', { fact: 'activity', path: '$' }],
  ['the moon phase', { fact: 'moonPhase' }],
];

const comparisons: [string, Comparison][] = [
  ["the activity's value is at least 964", { ...value, operator: 'greaterThanInclusive', value: 964 }],
  ["the activity's value is not at least 964", { ...value, operator: 'not:greaterThanInclusive', value: 964 }],
  ['the activity\'s source channel type is one of "POS", "Web"', { ...channel, operator: 'in', value: ['POS', 'Web'] }],
  ["the activity's value lies in the range 10, 20", { ...value, operator: 'between', value: [10, 20] }],
  [
    'some element of the item SKU of the activity\'s line items is "A"',
    { ...skus, operator: 'someFact:equal', value: 'A' },
  ],
  [
    'no element of the item SKU of the activity\'s line items is "A"',
    { ...skus, operator: 'not:someFact:equal', value: 'A' },
  ],
  [
    'not every element of the item SKU of the activity\'s line items begins with "A"',
    { ...skus, operator: 'not:everyFact:startsWith', value: 'A' },
  ],
  ["the activity's value is above each of 1, 2", { ...value, operator: 'everyValue:greaterThan', value: [1, 2] }],
  ["the activity's value is above none of 1, 2", { ...value, operator: 'not:someValue:greaterThan', value: [1, 2] }],
  ["5 is below the activity's value", { ...value, operator: 'swap:lessThan', value: 5 }],
  ["the activity's coupon code is empty", { fact: 'activity', path: '$.couponCode', operator: 'isEmpty', value: true }],
  [
    "the activity's coupon code is not empty",
    { fact: 'activity', path: '$.couponCode', operator: 'isEmpty', value: false },
  ],
  [
    "the member's enrolled at is within 1 day of the activity's date",
    { fact: 'member', path: '$.enrolledAt', operator: 'withinDays', value: 1 },
  ],
  [
    "the member's enrolled at is within 7 days before the activity's date",
    { fact: 'member', path: '$.enrolledAt', operator: 'withinDays', value: { days: 7, direction: 'past' } },
  ],
  [
    'the hour of the day at the location is 7',
    { fact: 'hour', params: { clock: 'location' }, operator: 'equal', value: 7 },
  ],
  ['the day of the week is one of Sunday, Saturday', { fact: 'dayOfWeek', operator: 'in', value: [0, 6] }],
  ["it is the member's birthday", { fact: 'isBirthday', operator: 'equal', value: true }],
  ["it is not the member's first accrual", { fact: 'isFirstActivity', operator: 'notEqual', value: true }],
  [
    "the activity's value is at most the avail balance of the member's purse Points",
    { ...value, operator: 'lessThanInclusive', value: { fact: 'member', path: '$.purse.Points.availBalance' } },
  ],
  [
    "the activity's date is later than 2026-01-01T00:00:00.000Z",
    { fact: 'activity', path: '$.date', operator: 'after', value: new Date('2026-01-01') },
  ],
];

describe('factPhrase', () => {
  it.each(phrases)('a fact is read as: %s', (phrase, ref) => expect(factPhrase(ref)).toBe(phrase));

  it.each(factNames.map((name) => [name]))('has words for the fact %s', (fact) => {
    expect(factPhrase({ fact })).toMatch(/^the /);
  });
});

describe('comparisonSentence', () => {
  it.each(comparisons)('a comparison is read as: %s', (sentence, comparison) =>
    expect(comparisonSentence(comparison)).toBe(sentence),
  );

  it.each(Object.keys(operators))('has other words for the negated operator %s', (operator) => {
    const plain = comparisonSentence({ ...value, operator, value: true });
    expect(comparisonSentence({ ...value, operator: `not:${operator}`, value: true })).not.toBe(plain);
  });

  it.each(Object.keys(decorators))('has words for the decorator %s', (decorator) => {
    const plain = comparisonSentence({ ...value, operator: 'equal', value: 3 });
    expect(comparisonSentence({ ...value, operator: `${decorator}:equal`, value: 3 })).not.toBe(plain);
  });

  it('cuts long lists and texts short', () => {
    const list = Array.from({ length: 500 }, (_, n) => n);
    expect(comparisonSentence({ ...value, operator: 'in', value: list })).toMatch(/is one of 0, 1, .* 9 and 490 more$/);
    const long = comparisonSentence({ ...channel, operator: 'equal', value: 'x'.repeat(5000) });
    expect(long.length).toBeLessThan(200);
  });
});

describe('failedSentence', () => {
  const failed = { ...value, operator: 'greaterThanInclusive', expected: 964, actual: 831 };

  it.each([
    ["the activity's value is at least 964: it was 831", failed],
    ["the activity's value is at least 964: it was missing", { ...failed, actual: undefined }],
    ["the activity's value is not 5: it was 5", { ...value, operator: 'not:equal', expected: 5, actual: 5 }],
    [
      'the day of the week is Saturday: it was Wednesday',
      { fact: 'dayOfWeek', operator: 'equal', expected: 6, actual: 3 },
    ],
    [
      "it is the member's birthday: it was not so",
      { fact: 'isBirthday', operator: 'equal', expected: true, actual: false },
    ],
    [
      'the member is in one of the segments "VIP", "Staff": it was in none',
      { fact: 'member', path: '$.segments', operator: 'someFact:in', expected: ['VIP', 'Staff'], actual: [] },
    ],
    [
      'the member is in one of the segments "VIP": it was in "Staff"',
      { fact: 'member', path: '$.segments', operator: 'someFact:in', expected: ['VIP'], actual: ['Staff'] },
    ],
    [
      'the member has one of the levels "Gold": it had none',
      { fact: 'member', path: '$.tier', operator: 'someFact:in', expected: ['Gold'], actual: [] },
    ],
    [
      'the member has one of the levels "Gold": it had "Silver"',
      { fact: 'member', path: '$.tier', operator: 'someFact:in', expected: ['Gold'], actual: ['Silver'] },
    ],
  ])('a condition that failed is read as: %s', (sentence, condition) =>
    expect(failedSentence(condition)).toBe(sentence),
  );

  it('takes parameters and the other fact from the conditions of the rule', () => {
    const spend = { fact: 'aggregate', params: { metric: 'spend', period: 'year' } };
    const conditions: Condition = {
      all: [{ ...spend, operator: 'greaterThan', value }, { not: { ...spend, operator: 'equal', value: 7 } }],
    };
    expect(failedSentence({ fact: 'aggregate', operator: 'greaterThan', expected: 100, actual: 80 }, conditions)).toBe(
      "the member's spend of the year is above the activity's value (100): it was 80",
    );
    expect(failedSentence({ fact: 'aggregate', operator: 'not:equal', expected: 7, actual: 7 }, conditions)).toBe(
      "the member's spend of the year is not 7: it was 7",
    );
  });
});

describe('conditionLines', () => {
  it('shows nested conditions with indentation', () => {
    const web: Condition = { ...channel, operator: 'equal', value: 'Web' };
    const large: Condition = { ...value, operator: 'greaterThan', value: 10 };
    expect(conditionLines({ all: [large, { any: [web, { not: large }] }] })).toEqual([
      '- all of these hold:',
      "  - the activity's value is above 10",
      '  - at least one of these holds:',
      '    - the activity\'s source channel type is "Web"',
      '    - this does not hold:',
      "      - the activity's value is above 10",
    ]);
    expect(conditionLines({ all: [] })).toEqual(['- always']);
  });
});
