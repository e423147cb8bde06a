import fc from 'fast-check';
import { burn } from '#engine/points/ledger/burn';
import type { ExpiryTerms } from '#records/points/expiry/expiryTerms';
import { minute, points, policyNamed, someId } from '../builders';
import { StoredMember } from '../storedMember';

const purse = points._id;
const inMinutes = (value: number): ExpiryTerms => ({ type: 'rolling', value, unit: 'minute' });

/** Points left in each lot, in the order in which the lots were earned. */
function left(member: StoredMember): number[] {
  return [...member.lots.values()].map(({ availablePoints }) => availablePoints);
}

test('the lot that expires first burns first, and lots that never expire burn last', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 10 }]);
  member.post([{ purse, earn: 10, expiry: inMinutes(60) }]);
  member.post([{ purse, earn: 10, expiry: inMinutes(30) }]);
  member.post([{ purse, spend: 15 }]);
  expect(left(member)).toEqual([10, 5, 0]);
  member.post([{ purse, spend: 10 }]);
  expect(left(member)).toEqual([5, 0, 0]);
});

test('of lots with one expiry, the one earned first burns first, whatever was posted first', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 10 }], minute(0));
  member.post([{ purse, earn: 10 }], minute(-5));
  member.post([{ purse, spend: 12 }]);
  expect(left(member)).toEqual([8, 0]);
});

test('lots with equal dates burn in the order of the awards, which is that of their ids', () => {
  const awards = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(awards, { minLength: 1, maxLength: 3 }), fc.nat(60), (activities, spend) => {
      const member = new StoredMember([points]);
      for (const amounts of activities) member.post(amounts.map((earn) => ({ purse, earn })));
      const ids = [...member.lots.keys()];
      expect(ids).toEqual([...ids].sort());
      const all = activities.flat();
      const spent = Math.min(
        spend,
        all.reduce((sum, each) => sum + each, 0),
      );
      if (spent > 0) member.post([{ purse, spend: spent }]);
      let rest = spent;
      const expected = all.map((amount) => {
        const burned = Math.min(rest, amount);
        rest -= burned;
        return amount - burned;
      });
      expect(left(member)).toEqual(expected);
    }),
  );
});

test('points in escrow are not burned', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 10, escrow: { type: 'duration', value: 5, unit: 'minute' } }]);
  expect(member.post([{ purse, spend: 1 }])).toBeUndefined();
  member.now = minute(5);
  expect(member.post([{ purse, spend: 10 }])).toBeDefined();
});

test('points can be burned until the instant they expire', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 10, expiry: inMinutes(5) }]);
  member.now = new Date(minute(5).getTime() - 1);
  expect(member.post([{ purse, spend: 4 }])).toBeDefined();
  member.now = minute(5);
  expect(member.post([{ purse, spend: 1 }])).toBeUndefined();
});

test('a lot past its expiry is not burned even when nobody settled before', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 10, expiry: inMinutes(5) }]);
  member.now = minute(6);
  expect(() => burn(member.open(), { purse, points: 1, origin: {} })).toThrow('settled before');
});

test.each([
  [100, 0, 100, true],
  [100, 0, 101, false],
  [100, 50, 150, true],
  [100, 50, 151, false],
  [0, 50, 50, true],
  [0, 0, 1, false],
])(
  'with %i points and an overdraft of %i a redemption of %i is granted: %s',
  (available, overdraftLimit, spend, granted) => {
    const policy = policyNamed('Points', { overdraftLimit });
    const member = new StoredMember([policy]);
    if (available > 0) member.post([{ purse: policy._id, earn: available }]);
    expect(member.post([{ purse: policy._id, spend }]) !== undefined).toBe(granted);
  },
);

test('a refusal says what is available and changes nothing', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 10 }]);
  const ledger = member.open();
  expect(burn(ledger, { purse, points: 11, origin: { activity: someId() } })).toEqual({
    isRefused: true,
    available: 10,
  });
  expect(ledger.changes()).toMatchObject({ updated: [], entries: [] });
});

test('the part that lots do not cover becomes debt and uses up the overdraft', () => {
  const policy = policyNamed('Points', { overdraftLimit: 50 });
  const member = new StoredMember([policy]);
  member.post([{ purse: policy._id, earn: 30 }]);
  const activity = member.post([{ purse: policy._id, spend: 70 }]);
  expect(activity?.effects.burned).toMatchObject([{ points: 30 }]);
  expect(activity?.effects.debts).toMatchObject([{ points: 40 }]);
  expect(member.purse(policy._id)).toMatchObject({ balance: -40, availBalance: -40, debt: 40, burnedPoints: 30 });
  expect(member.post([{ purse: policy._id, spend: 11 }])).toBeUndefined();
  expect(member.post([{ purse: policy._id, spend: 10 }])).toBeDefined();
});

test('a purse burns no points of another purse', () => {
  const other = policyNamed('Other');
  const member = new StoredMember([points, other]);
  member.post([{ purse: other._id, earn: 100 }]);
  expect(member.post([{ purse, spend: 1 }])).toBeUndefined();
});
