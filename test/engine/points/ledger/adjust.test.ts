import assert from 'node:assert';
import { addAdjusted, adjust } from '#engine/points/ledger/adjust';
import { checkInvariants } from '#members/reconcile/checkInvariants';
import type { Lot } from '#records/points/lot';
import { minute, policyNamed, someId } from '../builders';
import { StoredMember } from '../storedMember';

const policy = policyNamed('Points', { overdraftLimit: 50 });
const purse = policy._id;

function oneLot(member: StoredMember): Lot {
  const [lot] = member.lots.values();
  assert(lot);
  return lot;
}

test('a lot added by hand is journalled as adjust, and repays debt like any other', () => {
  const member = new StoredMember([policy]);
  member.post([{ purse, spend: 20 }]);
  member.commit((ledger) => addAdjusted(ledger, { _id: someId(), purse, points: 50, date: minute(0), origin: {} }));
  expect(member.entries.map(({ kind }) => kind)).toEqual(['burn', 'adjust', 'repay']);
  expect(member.purse(purse)).toMatchObject({ balance: 30, debt: 0, accruedPoints: 50 });
  expect(checkInvariants(member.stored())).toEqual([]);
});

test.each([
  [30, { accruedPoints: 130, availablePoints: 130, reversedPoints: 0 }],
  [-30, { accruedPoints: 100, availablePoints: 70, reversedPoints: 30 }],
  [-100, { accruedPoints: 100, availablePoints: 0, reversedPoints: 100, state: 'reversed' }],
])('%i points by hand count as accrued or as reversed', (available, expected) => {
  const member = new StoredMember([policy]);
  member.post([{ purse, earn: 100 }]);
  const lot = oneLot(member)._id;
  expect(member.commit((ledger) => adjust(ledger, { lot, available }))).toMatchObject(expected);
  expect(checkInvariants(member.stored())).toEqual([]);
});

test('more points than a lot has cannot be taken', () => {
  const member = new StoredMember([policy]);
  member.post([{ purse, earn: 100 }]);
  const lot = oneLot(member)._id;
  expect(() => member.commit((ledger) => adjust(ledger, { lot, available: -101 }))).toThrow('add up');
  expect(oneLot(member).availablePoints).toBe(100);
});

test('points in escrow are changed until it ends, those available afterwards', () => {
  const member = new StoredMember([policy]);
  member.post([{ purse, earn: 10, escrow: { type: 'duration', value: 5, unit: 'minute' } }]);
  const lot = oneLot(member)._id;
  expect(() => member.commit((ledger) => adjust(ledger, { lot, available: 1 }))).toThrow('has ended');
  member.commit((ledger) => adjust(ledger, { lot, escrow: 5 }));
  member.passTo(minute(5));
  expect(member.purse(purse).availBalance).toBe(15);
  expect(() => member.commit((ledger) => adjust(ledger, { lot, escrow: 1 }))).toThrow('has not ended');
  expect(checkInvariants(member.stored())).toEqual([]);
});
