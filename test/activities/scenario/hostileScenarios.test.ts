import fc from 'fast-check';
import { ruleActivityTypes } from '#records/activities/activity';
import { longer, scaled, seedsOf } from '../../support/scale';
import { faultsOf, scenarioDefinitions } from './scenarioDefinitions';

const spent = (period: unknown) => ({ fact: 'aggregate', params: { metric: 'spend', period } });
const points = (amount: unknown) => ({ type: 'addPoints', purse: 'Points', points: amount, pool: { share: 0.5 } });
const value = { of: { fact: 'activity', path: '$.value' }, times: 1_000_000 };
const earn = {
  key: 'earn',
  name: 'A million points per unit',
  activityTypes: ['Accrual'],
  actions: [points(value)],
  conditions: {
    any: [
      { ...spent('lifetime'), operator: 'greaterThanInclusive', value: 0 },
      { ...spent({ last: 7, unit: 'day' }), operator: 'lessThan', value: 0 },
      { fact: 'daysSince', params: { of: 'lastVisit' }, operator: 'lessThan', value: 5 },
      { fact: 'member', path: '$.tierSince.Status', operator: 'lessThan', value: '2026-01-01' },
    ],
  },
};
const others = [
  { key: 'reached', name: 'For each level', activityTypes: ['TierReached', 'PointsExpired'], actions: [points(5)] },
  {
    key: 'raise',
    name: 'A level',
    activityTypes: ['Redemption'],
    actions: [{ type: 'setTier', policy: 'Status', level: 'Gold' }],
  },
];

const definitions = {
  ...scenarioDefinitions(
    [{ name: 'Points', expiry: { type: 'rolling', value: 1, unit: 'day' } }],
    [
      {
        name: 'Status',
        levels: [{ name: 'Gold', number: 1, threshold: 100 }],
        basis: { metric: 'spend', period: 'month' },
        expiry: { value: 1, unit: 'month' },
      },
    ],
  ),
  activityTypes: [...ruleActivityTypes],
};

const id = '507f1f77bcf86cd799439011';
const faulty = fc.constantFrom('9999-12-31', '9999-12-31T23:59:59Z', '0001-01-01', 'x', '');
const odd: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(0, 1, -1, 0.5, 1e308, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 99, 100) },
  { weight: 2, arbitrary: faulty },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, [], {}, id, 'Gold', 'VIP', ['VIP'], [5], 'a\u0000b') },
);
/** Mostly a value that the service takes, at the bounds of what it takes. */
const either = (...usual: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: odd });
const past = either('2025-06-01', '2025-06-01T10:00:00Z', '1900-01-01', '2025-12-31');
const named = (name: string, ...usual: unknown[]) => either(...usual).map((each) => ({ [name]: each }));
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const levels = {
  tier: named('Status', 'Gold'),
  tierSince: named('Status', '2025-12-20', '1900-01-01'),
  segments: either(['VIP']),
  segmentSince: named('VIP', '2025-01-01'),
};
const member = fc
  .record(
    {
      _id: either(id),
      loyaltyID: either('L-1'),
      loyaltyIDs: either(['L-1', 'L-2']),
      status: either('Active'),
      birthDate: either('1990-02-28'),
      email: either('a@b.ch'),
      phone: either('1'),
      address: either({}),
      enrolledAt: past,
      lastVisit: past,
      referredBy: either(id),
      familyHead: either(id),
      bucket: either(0, 99),
      processedAccruals: either(0, 2 ** 53 - 1),
      purse: named('Points', 5, 2 ** 53 - 1),
      ...levels,
    },
    { requiredKeys: ['tier', 'segments'] },
  )
  .chain((input) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(input) },
      odd.map((tierUntil) => ({ ...input, tierUntil })),
    ),
  );
const day = fc.oneof({ weight: 30, arbitrary: fc.constantFrom('2025-12-31', '1900-01-01') }, faulty);
const sums = some({
  lifetime: either(2 ** 52, 2 ** 53 - 1, 7),
  month: either(99, 2 ** 53 - 1),
  year: either(0, 2 ** 53 - 1),
  days: fc.dictionary(day, either(5, 2 ** 53 - 1), { maxKeys: 2 }),
});
const aggregates = some({ spend: sums, visits: sums, 'pointsEarned:Points': sums, other: sums });
const step = fc.oneof(
  some({ value: either(1, 100, 2 ** 33, 2 ** 53 - 1), date: past }).map((fields) => ({
    activity: { type: 'Accrual', ...fields },
  })),
  fc.constantFrom<object>({ activity: { type: 'Redemption' } }, { activity: { type: 'TierReached' } }),
  either({ level: 'Gold' }).map((occasion) => ({ activity: { type: 'TierReached', occasion } })),
  either(undefined, 1, 2 ** 53 - 1).map((part) => ({
    cancel: { step: 1, ...(part !== undefined && { value: part }) },
  })),
  either({ itemSKU: 'A' }).map((part) => ({ cancel: { step: 1, lineItems: [part] } })),
  fc
    .tuple(either(1, 30), fc.constantFrom('day', 'month', 'year'))
    .map(([much, unit]) => ({ wait: { value: much, unit } })),
  either('2031-01-01').map((until) => ({ wait: { until } })),
);

const first = { activity: { type: 'Accrual', value: 7, lineItems: [{ itemSKU: 'A', itemPrice: 7 }] } };

test.each(seedsOf(5))(
  'any scenario runs or is refused with its faults (seed %i)',
  async (seed) => {
    const scenarioOf = fc.record(
      { member, aggregates, steps: fc.array(step, { maxLength: 5 }), asOf: either('2026-01-10T12:00:00Z') },
      { requiredKeys: ['steps'] },
    );
    await fc.assert(
      fc.asyncProperty(scenarioOf, async (input) => {
        const { steps, ...more } = input;
        const test = { name: 't', ...more, steps: [first, ...steps], expect: { fired: ['earn', 'reached', 'raise'] } };
        const faults = await faultsOf([{ ...earn, tests: [test] }, ...others], definitions);
        for (const fault of faults) expect(fault).not.toMatch(/undefined|NaN|\[object|TypeError|\^\(/);
      }),
      { seed, numRuns: scaled(100, seed), endOnFailure: false },
    );
  },
  120_000 * longer,
);
