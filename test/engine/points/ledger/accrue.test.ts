import { accrue } from '#engine/points/ledger/accrue';
import { burn } from '#engine/points/ledger/burn';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import { checkInvariants } from '#members/reconcile/checkInvariants';
import { minute, points, policyNamed, someId } from '../builders';
import { StoredMember } from '../storedMember';

const purse = points._id;
const current = policyNamed('Held', { escrow: { type: 'duration', value: 10, unit: 'minute' } });
const fleeting = policyNamed('Fleeting', {
  escrow: { type: 'duration', value: 10, unit: 'minute' },
  expiry: { type: 'rolling', value: 20, unit: 'minute' },
});

test('an award without escrow can be spent at once', () => {
  const member = new StoredMember([points]);
  const activity = member.post([{ purse, earn: 120 }]);
  const lot = member.lot(activity?.effects.accrued[0]?.lot ?? someId());
  expect(lot).toMatchObject({ state: 'available', availablePoints: 120, hasEscrowed: true, dtEscrowsOn: lot.dtEarned });
  expect(lot.dtExpiresOn).toBeUndefined();
  expect(member.purse(purse)).toMatchObject({ balance: 120, availBalance: 120, accruedPoints: 120, expiresIn: 0 });
  expect(member.nextDue).toBeUndefined();
});

test('an award in escrow counts in the balance, but cannot be spent', () => {
  const member = new StoredMember([current]);
  member.post([{ purse: current._id, earn: 120 }]);
  const nextEscrow = { date: minute(10), points: 120 };
  expect(member.purse(current._id)).toMatchObject({ balance: 120, availBalance: 0, escrowsIn: 120, nextEscrow });
  expect(member.post([{ purse: current._id, spend: 1 }])).toBeUndefined();
  expect(member.nextDue).toEqual(minute(10));
});

test('the expiry of an award in escrow counts from its release', () => {
  const member = new StoredMember([fleeting]);
  const activity = member.post([{ purse: fleeting._id, earn: 1 }]);
  const lot = member.lot(activity?.effects.accrued[0]?.lot ?? someId());
  expect([lot.dtEscrowsOn, lot.dtExpiresOn]).toEqual([minute(10), minute(30)]);
});

test('terms of the award take precedence over those of the policy', () => {
  const member = new StoredMember([fleeting]);
  member.post([{ purse: fleeting._id, earn: 5, escrow: { type: 'none' }, expiry: { type: 'none' } }]);
  expect(member.purse(fleeting._id)).toMatchObject({ availBalance: 5, escrowsIn: 0, expiresIn: 0 });
});

test.each([
  ['still in escrow', -9, { state: 'escrow', escrowedPoints: 7 }, ['accrue']],
  ['past its escrow', -10, { state: 'available', availablePoints: 7, hasEscrowed: true }, ['accrue', 'release']],
  ['not yet expired', -29, { state: 'available', availablePoints: 7 }, ['accrue', 'release']],
  ['past its expiry', -30, { state: 'expired', expiredPoints: 7, hasExpired: true }, ['accrue', 'release', 'expire']],
])('a retroactive award that is %s is settled in the same commit', (_name, ago, lot, kinds) => {
  const member = new StoredMember([fleeting]);
  const activity = member.post([{ purse: fleeting._id, earn: 7 }], minute(ago), 'none');
  expect(member.lot(activity?.effects.accrued[0]?.lot ?? someId())).toMatchObject(lot);
  expect(member.entries.map(({ kind }) => kind)).toEqual(kinds);
});

test('an award repays debt unless it is in escrow', () => {
  const policy = policyNamed('Points', { overdraftLimit: 50 });
  const member = new StoredMember([policy]);
  member.post([{ purse: policy._id, spend: 50 }]);
  member.post([{ purse: policy._id, earn: 80, escrow: { type: 'duration', value: 5, unit: 'minute' } }]);
  expect(member.purse(policy._id)).toMatchObject({ balance: 30, availBalance: -50, debt: 50, escrowsIn: 80 });

  member.passTo(minute(5));
  expect(member.purse(policy._id)).toMatchObject({ balance: 30, availBalance: 30, debt: 0, burnedPoints: 50 });
  expect(member.entries.map(({ kind }) => kind)).toEqual(['burn', 'accrue', 'release', 'repay']);
});

test('points past their expiry never repay debt', () => {
  const policy = policyNamed('Points', { overdraftLimit: 50 });
  const member = new StoredMember([policy]);
  member.post([{ purse: policy._id, spend: 50 }]);
  member.post([{ purse: policy._id, earn: 80, expiry: { type: 'rolling', value: 5, unit: 'minute' } }], minute(-5));
  expect(member.purse(policy._id)).toMatchObject({ balance: -50, debt: 50, expiredPoints: 80 });
});

test('awards of one activity have different ids, which are equal when the activity is processed again', () => {
  const member = new StoredMember([points]);
  const origin = { activity: someId(), rule: someId(), ruleVersion: 3 };
  const ids = () => {
    const ledger = member.open();
    return [0, 1].map((n) => accrue(ledger, { purse, points: 1, date: minute(0), origin, n })._id.toHexString());
  };
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
});

test('the next expiry is kept without the lots: an earlier date replaces it, an equal one adds up', () => {
  const member = new StoredMember([points]);
  const earn = (earned: number, minutes: number) =>
    member.post(
      [{ purse, earn: earned, expiry: { type: 'rolling', value: minutes, unit: 'minute' } }],
      minute(0),
      'none',
    );
  earn(10, 30);
  earn(20, 40);
  expect(member.purse(purse).nextExpiry).toEqual({ date: minute(30), points: 10 });
  earn(5, 30);
  expect(member.purse(purse).nextExpiry).toEqual({ date: minute(30), points: 15 });
  earn(1, 20);
  expect(member.purse(purse)).toMatchObject({ nextExpiry: { date: minute(20), points: 1 }, expiresIn: 1 });
  expect(checkInvariants(member.stored())).toEqual([]);
});

test('a sum that would be inexact is refused with a named error, and the fork can be dropped', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: Number.MAX_SAFE_INTEGER - 1 }]);
  expect(() => member.post([{ purse, earn: 2 }])).toThrow(PointsOverflow);
  expect(member.purse(purse).balance).toBe(Number.MAX_SAFE_INTEGER - 1);
  member.post([{ purse, earn: 1 }]);
  expect(member.purse(purse).balance).toBe(Number.MAX_SAFE_INTEGER);
});

test('an inexact debt is refused too', () => {
  const deep = policyNamed('Deep', { overdraftLimit: Number.MAX_SAFE_INTEGER });
  const member = new StoredMember([deep]);
  member.post([{ purse: deep._id, spend: Number.MAX_SAFE_INTEGER }]);
  expect(member.post([{ purse: deep._id, spend: 1 }])).toBeUndefined();
});

test('a dropped fork leaves no trace in the ledger it was made from', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 100 }]);
  const ledger = member.open();
  const fork = ledger.fork();
  burn(fork, { purse, points: 60, origin: {} });
  accrue(fork, { purse, points: 5, date: minute(0), origin: { activity: someId() }, n: 0 });
  expect(fork.purse(purse).balance).toBe(45);
  expect(ledger.purse(purse).balance).toBe(100);
  expect(ledger.changes()).toMatchObject({ inserted: [], updated: [], entries: [], seq: 1 });

  burn(ledger, { purse, points: 1, origin: {} });
  expect(fork.purse(purse).balance).toBe(45);
});

test('a policy made after the member shows as a purse at zero under its present name', () => {
  const member = new StoredMember([points]);
  member.post([{ purse, earn: 1 }]);
  const later = new StoredMember([{ ...points, name: 'Stars', overdraftLimit: 9 }, current]);
  later.purses = member.purses;
  const purses = later.open().purses();
  expect(purses.map(({ name, balance, overdraftLimit }) => [name, balance, overdraftLimit])).toEqual([
    ['Stars', 1, 9],
    ['Held', 0, 0],
  ]);
});
