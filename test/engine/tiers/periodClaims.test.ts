import { ObjectId } from 'bson';
import { bestClaim } from '#engine/tiers/claims';
import type { LadderInput } from '#engine/tiers/levels';
import { revokePeriods } from '#engine/tiers/periodClaims';
import type { Ladder } from '#records/members/memberTier';

const policy: LadderInput['policy'] = {
  _id: new ObjectId(),
  levels: [
    { name: 'Bronze', number: 1, threshold: 100 },
    { name: 'Silver', number: 2, threshold: 300 },
    { name: 'Gold', number: 3, threshold: 1000 },
  ],
  basis: { metric: 'spend', period: 'year' },
  downgrade: 'full',
  lateClaims: 'counted',
  expiry: { value: 1, unit: 'year', snap: 'endOfYear' },
};
const inputAt = (now: string): LadderInput => ({ policy, timezone: 'UTC', now: new Date(now) });
const [silver, gold] = [
  { name: 'Silver', number: 2 },
  { name: 'Gold', number: 3 },
];

describe('a cancel that takes a year of Gold from a member whom a merge made Silver', () => {
  const since = new Date('2025-03-01T00:00:00Z');
  const ladder: Ladder = {
    policyId: policy._id,
    steps: [
      { level: silver, since, isFirm: true, expiresOn: new Date('2029-01-01T00:00:00Z') },
      { level: gold, since, isFirm: false, expiresOn: new Date('2028-01-01T00:00:00Z') },
    ],
    reached: [
      { level: gold, at: since },
      { level: gold, at: new Date('2026-03-01T00:00:00Z') },
    ],
  };
  const spend = (year2026: number) => (date: Date) => (date.getUTCFullYear() === 2026 ? year2026 : 1000);
  const revoked = revokePeriods(ladder, spend(0), inputAt('2026-06-01T00:00:00Z'));

  it('leaves Gold until the end that the other year gives', () => {
    expect(bestClaim(revoked)).toMatchObject({ level: gold, since, expiresOn: new Date('2027-01-01T00:00:00Z') });
  });

  it('leaves Silver when the other year is cancelled too', () => {
    const left = revokePeriods(revoked, () => 0, inputAt('2026-07-01T00:00:00Z'));
    expect(bestClaim(left)).toMatchObject({ level: silver, since, expiresOn: new Date('2029-01-01T00:00:00Z') });
  });

  it('changes nothing when the year still reaches Gold', () => {
    expect(revokePeriods(ladder, spend(1000), inputAt('2026-06-01T00:00:00Z')).steps).toEqual(ladder.steps);
  });
});
