import fc from 'fast-check';
import type { Claim } from '#engine/tiers/claims';
import { scaled, seedsOf } from '../../support/scale';
import { ChallengedMember, type Deed, policyWith } from './challengedMember';

const year = { value: 1, unit: 'year' as const };
const month = { value: 1, unit: 'month' as const };
const yearly = { metric: 'trips', period: 'year' as const };

const policies = fc.record({
  downgrade: fc.constantFrom('none' as const, 'one' as const, 'full' as const),
  terms: fc.oneof(
    fc.constantFrom({ expiry: month }, { expiry: year }, { expiry: { value: 20, unit: 'day' as const } }, {}),
    fc.constantFrom({ expiry: { ...year, snap: 'endOfYear' as const } }),
    fc.constantFrom({ expiry: { ...year, snap: 'endOfYear' as const }, lateClaims: 'counted' as const }),
  ),
  grace: fc.constantFrom(0, 15),
});

const deeds = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constant('grant' as const),
      day: fc.nat(150),
      level: fc.nat(2),
      days: fc.integer({ min: 2, max: 400 }),
    }),
    fc.record({
      what: fc.constantFrom('trips' as const, 'spend' as const),
      day: fc.nat(200),
      late: fc.oneof(fc.constant(0), fc.nat(120)),
      value: fc.oneof(fc.constantFrom(100, 200, 300, -100, -300), fc.integer({ min: -150, max: 150 })),
    }),
  ),
  { minLength: 2, maxLength: 10 },
);

/** What happens, day by day. Each level is given once: of two challenges for one level only the first runs. */
function dayByDay(drawn: readonly Deed[]): Deed[] {
  const input = new Set<number>();
  return [...drawn]
    .sort((a, b) => a.day - b.day)
    .filter((deed) => deed.what !== 'grant' || (!input.has(deed.level) && input.add(deed.level)));
}

function isWorse(one: Claim | undefined, than: Claim | undefined): boolean {
  const [a, b] = [one?.level.number ?? -1, than?.level.number ?? -1];
  const endOf = (claim: Claim | undefined) => claim?.expiresOn?.getTime() ?? Number.POSITIVE_INFINITY;
  return a < b || (a === b && a >= 0 && endOf(one) < endOf(than));
}

describe.each(seedsOf(31_021))('a member who meets challenges, with late posts and returns (seed %i),', (seed) => {
  it('has no lower level and no earlier end than a member who misses them, until a term ends', () => {
    fc.assert(
      fc.property(policies, deeds, ({ terms, downgrade, grace }, drawn) => {
        const policy = policyWith({
          ...terms,
          downgrade,
          basis: yearly,
          ...(grace > 0 ? { grace: { value: grace, unit: 'day' } } : {}),
        });
        const [met, missed] = [100, 1e9].map((atLeast) => new ChallengedMember(policy, atLeast));
        if (!met || !missed) throw new Error('two members');
        for (const deed of dayByDay(drawn)) {
          // From then on their terms have other days, so they cannot be compared.
          const lapsed = [met, missed].map((member) => member.does(deed));
          if (lapsed.includes(true)) return;
          expect([isWorse(met.bestClaim(), missed.bestClaim()), met.bestClaim(), missed.bestClaim()]).toEqual([
            false,
            met.bestClaim(),
            missed.bestClaim(),
          ]);
        }
      }),
      { numRuns: scaled(1500, seed), seed },
    );
  });
});
