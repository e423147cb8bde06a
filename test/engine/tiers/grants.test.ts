import { ObjectId } from 'bson';
import { grantLevel } from '#engine/tiers/grants';
import { emptyLadder } from '#engine/tiers/ladder';
import { lapse } from '#engine/tiers/lapse';
import type { LadderInput } from '#engine/tiers/levels';
import type { Ladder } from '#records/members/memberTier';

const input: LadderInput = {
  policy: {
    _id: new ObjectId(),
    levels: [
      { name: 'Silver', number: 2, threshold: 300 },
      { name: 'Gold', number: 3, threshold: 1000 },
    ],
    downgrade: 'full',
  },
  timezone: 'UTC',
  now: new Date('2026-06-10T12:00:00Z'),
};
type Grant = Parameters<typeof grantLevel>[1];
const keep = { metric: 'nights', atLeast: 3, from: '2026-06-10', counted: 0 };
const grant = (level: 'Silver' | 'Gold', month: number, more: Partial<Grant> = {}): Grant => ({
  level: { name: level, number: level === 'Gold' ? 3 : 2 },
  expiresOn: new Date(Date.UTC(2026, month - 1)),
  ...more,
});
const withGrants = (...all: Grant[]) =>
  all.reduce((ladder, each) => grantLevel(ladder, each, input), emptyLadder(input));
const shown = ({ grants }: Ladder) =>
  grants?.map(({ level, expiresOn, keep: challenge }) =>
    [level.name, expiresOn.getUTCMonth() + 1, ...(challenge ? ['challenge'] : [])].join(' '),
  );

it.each<[string, Grant[], string[]]>([
  ['the longer one of two at one level stays', [grant('Gold', 8), grant('Gold', 10)], ['Gold 10']],
  ['a shorter one at a level changes nothing', [grant('Gold', 10), grant('Gold', 8)], ['Gold 10']],
  ['those at other levels stay', [grant('Silver', 8), grant('Gold', 10)], ['Gold 10', 'Silver 8']],
  ['a longer one at a lower level stays', [grant('Gold', 8), grant('Silver', 10)], ['Gold 8', 'Silver 10']],
  ['a running challenge continues', [grant('Gold', 8, { keep }), grant('Gold', 10, { keep })], ['Gold 8 challenge']],
  [
    'a challenge and a grant at one level do not replace each other',
    [grant('Gold', 8, { keep }), grant('Gold', 10), grant('Gold', 9)],
    ['Gold 10', 'Gold 8 challenge'],
  ],
])('of levels for a time, %s', (_case, all, expected) => {
  expect(shown(withGrants(...all))).toEqual(expected);
});

it('a level that is granted again until the same day changes nothing', () => {
  const ladder = withGrants(grant('Gold', 8));
  expect(grantLevel(ladder, grant('Gold', 8), input)).toBe(ladder);
});

it('a level for a time that ends leaves those that end later', () => {
  const ladder = withGrants(grant('Gold', 8), grant('Silver', 10));
  const after = (month: number) =>
    shown(lapse(ladder, () => 0, { ...input, now: new Date(Date.UTC(2026, month - 1)) }));
  expect([after(8), after(10)]).toEqual([['Silver 10'], undefined]);
});
