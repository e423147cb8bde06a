import { minute, points, policyNamed } from '../builders';
import { StoredMember } from '../storedMember';

const current = policyNamed('Held', {
  escrow: { type: 'duration', value: 10, unit: 'minute' },
  expiry: { type: 'rolling', value: 20, unit: 'minute' },
});
const purse = current._id;

test('a lot is released at its date and not a millisecond sooner', () => {
  const member = new StoredMember([current]);
  member.post([{ purse, earn: 5 }]);
  expect(member.passTo(new Date(minute(10).getTime() - 1)).released).toBe(0);
  expect(member.passTo(minute(10)).released).toBe(1);
  expect(member.purse(purse)).toMatchObject({
    availBalance: 5,
    escrowsIn: 0,
    nextExpiry: { date: minute(30), points: 5 },
  });
});

test('a lot expires at its date, which the metric gets however late the expiry is noticed', () => {
  const member = new StoredMember([current]);
  const lot = member.post([{ purse, earn: 5 }])?.effects.accrued[0]?.lot;
  member.passTo(minute(10));
  expect(member.passTo(minute(500)).expired).toEqual([{ lot, purse, points: 5, date: minute(30) }]);
  expect(member.purse(purse)).toMatchObject({ balance: 0, expiredPoints: 5, expiresIn: 0 });
  expect(member.purse(purse).nextExpiry).toBeUndefined();
  expect(member.nextDue).toBeUndefined();
});

test('after downtime a lot past both dates is released and then expired in one commit', () => {
  const member = new StoredMember([current]);
  member.post([{ purse, earn: 5 }]);
  member.passTo(minute(31));
  expect(member.entries.map(({ kind }) => kind)).toEqual(['accrue', 'release', 'expire']);
});

test('settling a second time does nothing', () => {
  const member = new StoredMember([current]);
  member.post([{ purse, earn: 5 }]);
  member.passTo(minute(31));
  expect(member.passTo(minute(31))).toEqual({ released: 0, expired: [] });
  expect(member.entries).toHaveLength(3);
});

test('only the rest of a lot expires', () => {
  const member = new StoredMember([current]);
  const lot = member.post([{ purse, earn: 5 }])?.effects.accrued[0];
  member.passTo(minute(10));
  member.post([{ purse, spend: 2 }]);
  member.passTo(minute(30));
  expect(member.lot(lot?.lot ?? purse)).toMatchObject({
    state: 'burned',
    burnedPoints: 2,
    expiredPoints: 3,
    hasExpired: true,
  });
});

test('the next dates include all points of the earliest date', () => {
  const member = new StoredMember([current, points]);
  member.post([{ purse, earn: 5 }]);
  member.post([{ purse, earn: 6 }]);
  member.post([{ purse, earn: 7 }], minute(1));
  expect(member.purse(purse).nextEscrow).toEqual({ date: minute(10), points: 11 });
  member.passTo(minute(10));
  expect(member.purse(purse)).toMatchObject({
    nextEscrow: { date: minute(11), points: 7 },
    nextExpiry: { date: minute(30), points: 11 },
    expiresIn: 11,
  });
  expect(member.nextDue).toEqual(minute(11));
});
