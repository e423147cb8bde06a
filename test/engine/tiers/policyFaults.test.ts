import { policyFaults } from '#engine/tiers/policyFaults';

type Terms = Parameters<typeof policyFaults>[0];

const withLifetime = (lifetime: object): Terms => ({
  levels: [
    { name: 'Basic', number: 1, threshold: 0 },
    { name: 'Gold', number: 2, threshold: 100, lifetime },
  ],
});
const yearly = { basis: { metric: 'spend', period: 'year' } } as const;

it.each<[string, Terms]>([
  ['no terms', {}],
  ['a level for good after years', withLifetime({ years: 5 })],
  ['a level for good by a lifetime sum', withLifetime({ metric: 'spend', atLeast: 10 })],
  ['a level for good by both', withLifetime({ years: 5, metric: 'spend', atLeast: 10 })],
  ['a term without a snap', { ...yearly, expiry: { value: 1, unit: 'year' } }],
  ['a term that is only a snap', { ...yearly, expiry: { value: 0, unit: 'year', snap: 'endOfYear' } }],
  ['late claims of levels that never end', { ...yearly, lateClaims: 'counted' }],
  [
    'late claims of levels that end with the year',
    { ...yearly, lateClaims: 'counted', expiry: { value: 1, unit: 'year', snap: 'endOfYear' } },
  ],
])('a policy may have %s', (_case, terms) => {
  expect(policyFaults(terms)).toEqual([]);
});

it.each<[string, Terms, string, string]>([
  ['no sum for a metric', withLifetime({ metric: 'spend' }), 'levels.1.lifetime.atLeast', 'tiers.requiredWithMetric'],
  [
    'no sum for a metric beside years',
    withLifetime({ years: 5, metric: 'spend' }),
    'levels.1.lifetime.atLeast',
    'tiers.requiredWithMetric',
  ],
  ['no metric for a sum', withLifetime({ atLeast: 10 }), 'levels.1.lifetime.metric', 'tiers.requiredWithAtLeast'],
  ['neither years nor a metric', withLifetime({}), 'levels.1.lifetime.years', 'tiers.requiredWithoutMetric'],
  ['no time at all', { expiry: { value: 0, unit: 'year' } }, 'expiry.value', 'tiers.minimumWithoutSnap'],
  ['late claims without a basis', { lateClaims: 'counted' }, 'basis', 'tiers.requiredWithLateClaims'],
  [
    'late claims of levels that end on any day',
    { ...yearly, lateClaims: 'counted', expiry: { value: 1, unit: 'year' } },
    'expiry.snap',
    'tiers.endsAlike',
  ],
])('a policy is refused with %s', (_case, terms, path, messageId) => {
  expect(policyFaults(terms)).toEqual([expect.objectContaining({ path, messageId })]);
});
