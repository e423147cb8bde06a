import { ObjectId } from 'bson';
import { bestClaim } from '#engine/tiers/claims';
import { climb, emptyLadder, setLevel } from '#engine/tiers/ladder';
import { climbLate, isLate } from '#engine/tiers/lateClaim';
import type { LadderInput } from '#engine/tiers/levels';

const input = (now: string, timezone = 'America/New_York'): LadderInput => ({
  policy: {
    _id: new ObjectId('000000000000000000000009'),
    levels: [100, 300, 1000].map((threshold, n) => ({ name: `L${n + 1}`, number: n + 1, threshold })),
    basis: { metric: 'miles', period: 'year' },
    downgrade: 'one',
    expiry: { value: 1, unit: 'year', snap: 'endOfYear' },
  },
  timezone,
  now: new Date(now),
});

describe('an activity is late', () => {
  const march = input('2028-02-29T17:00:00.000Z');
  it.each([
    ['2027-12-31T23:59:59.999-05:00', true],
    ['2028-01-01T00:00:00.000-05:00', false],
    ['2028-03-01T00:00:00.000-05:00', false],
    ['2025-02-28T17:00:00.000Z', true],
    ['2025-02-28T16:59:59.999Z', false],
  ])('for %s: %s', (date, isSo) => expect(isLate(new Date(date), march)).toBe(isSo));
});

describe('a level that a rule set', () => {
  const now = input('2027-02-01T12:00:00.000Z');
  const set = setLevel(climb(emptyLadder(now), 0, now), { name: 'L1', number: 1 }, now);
  const date = new Date('2026-12-31T12:00:00.000Z');
  const levelAfter = (value: number, added: number) =>
    bestClaim(climbLate(set, { date, value, added }, now))?.level.name;

  it('is raised by the late activity that reaches a level, and not by another one', () => {
    expect([levelAfter(310, 20), levelAfter(310, 10), levelAfter(1010, 20)]).toEqual(['L2', 'L1', 'L3']);
  });
});
