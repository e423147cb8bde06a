import { ObjectId } from 'bson';
import type { Rule } from '#engine/rules/format/rule';
import type { Condition } from '#engine/rules/language/condition';

const activity = (path: string, operator: string, value: unknown): Condition => ({
  fact: 'activity',
  path,
  operator,
  value,
});
const member = (path: string, operator: string, value: unknown): Condition => ({
  fact: 'member',
  path,
  operator,
  value,
});

/** Makes the rules of a large loyalty program, with four to seven conditions each, of all usual kinds. */
export function loyaltyRules(count: number): Rule[] {
  return Array.from({ length: count }, (_unused, n) => loyaltyRule(n));
}

function loyaltyRule(n: number): Rule {
  return {
    _id: new ObjectId(n.toString(16).padStart(24, '0')),
    version: 1,
    file: 'bench/rules.json',
    position: n,
    programId: new ObjectId('0123456789abcdef01234567'),
    programCode: 'bench',
    key: `rule-${n}`,
    name: `Rule ${n}`,
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 1,
    conditions: { all: [...common(n), ...(special[n % special.length]?.(n) ?? [])] },
    actions: [{ type: 'addPoints', purse: 'Points', points: 10 }],
  };
}

const channels = ['Web', 'Mobile', 'POS', 'CallCenter', 'Partner'];
const levels = ['Bronze', 'Silver', 'Gold', 'Platinum'];

function common(n: number): Condition[] {
  return [
    activity('$.type', 'equal', 'Accrual'),
    activity('$.srcChannelType', 'in', [channels[n % 5], channels[(n + 1 + (n % 3)) % 5]]),
    activity('$.value', 'greaterThanInclusive', (n * 37) % 500),
  ];
}

/** Conditions that make rules differ; the rules use them in rotation. */
const special: readonly ((n: number) => Condition[])[] = [
  (n) => [
    member('$.tier.Main', 'equal', levels[n % 4]),
    activity('$.lineItems[*].itemSKU', 'contains', `sku-${n % 400}`),
  ],
  (n) => [
    { any: [member('$.tier.Main', 'equal', levels[n % 4]), { fact: 'isBirthday', operator: 'equal', value: true }] },
    activity('$.srcChannelID', 'equal', `store-${n % 300}`),
    activity('$.lineItems[*].quantity', 'someFact:greaterThan', n % 5),
  ],
  (n) => [
    { not: { any: [member('$.segments', 'contains', 'Staff'), activity('$.currencyCode', 'notEqual', 'USD')] } },
    activity('$.value', 'greaterThan', { fact: 'member', path: '$.ext.averageSpend' }),
    member('$.segments', 'someFact:in', [`segment-${n % 60}`, `segment-${(n + 7) % 60}`]),
  ],
  (n) => [
    activity('$.date', 'after', '2026-01-01T00:00:00.000Z'),
    activity('$.date', 'before', `2026-${String((n % 12) + 1).padStart(2, '0')}-28T00:00:00.000Z`),
    activity('$.partnerCode', 'equal', `partner-${n % 100}`),
    {
      any: [
        { fact: 'dayOfWeek', operator: 'in', value: [0, 6] },
        { fact: 'hour', operator: 'lessThan', value: n % 24 },
      ],
    },
  ],
  (n) => [
    activity('$.couponCode', 'equal', `coupon-${n}`),
    member('$.purse.Points.availBalance', 'greaterThan', (n * 13) % 5000),
  ],
];
