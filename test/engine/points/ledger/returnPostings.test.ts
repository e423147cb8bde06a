import assert from 'node:assert';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';
import { checkInvariants } from '#members/reconcile/checkInvariants';
import { minute, policyNamed } from '../builders';
import { type Activity, type Step, StoredMember } from '../storedMember';

const policyOf = (clawback: LedgerPolicy['clawback'], fields: Partial<LedgerPolicy> = {}) =>
  policyNamed('Points', { clawback, overdraftLimit: 100, ...fields });
const expiry = { type: 'rolling' as const, value: 10, unit: 'minute' as const };

function posted(member: StoredMember, ...steps: Step[]): Activity {
  const activity = member.post(steps);
  assert(activity, 'the activity was refused');
  return activity;
}

const orders = [
  ['purchase', 'redemption'],
  ['redemption', 'purchase'],
] as const;

describe.each(orders)('the %s is cancelled before the %s', (...order) => {
  test('full: when the rest has expired before, nothing is left and nothing is owed', () => {
    const policy = policyOf('full', { expiry });
    const purse = policy._id;
    const anna = new StoredMember([policy]);
    const done = { purchase: posted(anna, { purse, earn: 100 }), redemption: posted(anna, { purse, spend: 40 }) };
    anna.passTo(minute(11));
    for (const each of order) anna.giveBack(done[each]);
    expect(anna.purse(purse)).toMatchObject({ balance: 0, debt: 0 });
    expect(checkInvariants(anna.stored())).toEqual([]);
  });

  test('toZero: what was forgiven does not come back', () => {
    const policy = policyOf('toZero');
    const purse = policy._id;
    const anna = new StoredMember([policy]);
    const done = { purchase: posted(anna, { purse, earn: 100 }), redemption: posted(anna, { purse, spend: 70 }) };
    for (const each of order) anna.giveBack(done[each]);
    expect(anna.purse(purse)).toMatchObject({ balance: 0, debt: 0 });
    expect([...anna.lots.values()]).toMatchObject([{ burnedPoints: 0, reversedPoints: 100 }]);
  });

  test('toZero: lots that paid for it get their points back', () => {
    const policy = policyOf('toZero');
    const purse = policy._id;
    const anna = new StoredMember([policy]);
    const done = { purchase: posted(anna, { purse, earn: 100 }), redemption: posted(anna, { purse, spend: 70 }) };
    posted(anna, { purse, earn: 50 });
    for (const each of order) anna.giveBack(done[each]);
    expect(anna.purse(purse)).toMatchObject({ balance: 50, debt: 0 });
    expect([...anna.lots.values()].at(-1)).toMatchObject({ availablePoints: 50, burnedPoints: 0, repaidPoints: 0 });
  });
});

test('a lot that replaced another and whose award is cancelled passes on what is returned to it', () => {
  const policy = policyOf('full');
  const purse = policy._id;
  const anna = new StoredMember([policy]);
  const first = posted(anna, { purse, earn: 60 });
  const spent = posted(anna, { purse, spend: 60 });
  const second = posted(anna, { purse, earn: 60 });
  const third = posted(anna, { purse, earn: 60 });
  anna.giveBack(first);
  anna.giveBack(second);
  expect(anna.purse(purse)).toMatchObject({ balance: 0, debt: 0 });
  const { lines } = anna.giveBack(spent);
  // Either of the two later lots stood for the first, as their ids have it. The second one hands on what it gets.
  const actual = lines.map(({ did, points }) => `${points} ${did}`);
  expect([actual.slice(0, 2), actual.at(-1)]).toEqual([['60 restored', '60 reversed'], '60 restored']);
  expect([3, 5]).toContain(actual.length);
  expect(anna.purse(purse)).toMatchObject({ balance: 60, debt: 0 });
  anna.giveBack(third);
  expect(anna.purse(purse)).toMatchObject({ balance: 0, debt: 0 });
  expect([...anna.lots.values()].map(({ burnedPoints }) => burnedPoints)).toEqual([0, 0, 0]);
  expect(checkInvariants(anna.stored())).toEqual([]);
});

describe.each(['full', 'toZero', 'pendingOnly'] as const)(
  '%s: a transfer of 100 of which 60 were spent there',
  (clawback) => {
    const [from, to] = [policyNamed('From', { clawback }), policyNamed('To', { clawback })];
    const input = { full: 100, toZero: 40, pendingOnly: 40 }[clawback];

    function transferred(): { anna: StoredMember; transfer: Activity; spent: Activity } {
      const anna = new StoredMember([from, to]);
      posted(anna, { purse: from._id, earn: 100 });
      const transfer = anna.transfer({ from: from._id, to: to._id, points: 100 });
      assert(transfer);
      return { anna, transfer, spent: posted(anna, { purse: to._id, spend: 60 }) };
    }

    test(`gives ${input} back, and held and spent points together are 100`, () => {
      const { anna, transfer } = transferred();
      anna.giveBack(transfer);
      expect(anna.purse(from._id)).toMatchObject({ balance: input, debt: 0 });
      expect(anna.purse(to._id).balance).toBe(clawback === 'full' ? -60 : 0);
      expect(checkInvariants(anna.stored())).toEqual([]);
    });

    test('gives as much back in parts', () => {
      const { anna, transfer } = transferred();
      for (const returned of [1, 2, 3, 4, 5, 6, 7]) anna.giveBack(transfer, { returned, of: 7 });
      expect(anna.purse(from._id)).toMatchObject({ balance: input, debt: 0 });
      expect(transfer.effects).toMatchObject({ burned: [{ restored: 100 }], accrued: [{ returned: 100 }] });
    });

    test('creates no points when the redemption is cancelled after it', () => {
      const { anna, transfer, spent } = transferred();
      anna.giveBack(transfer);
      anna.giveBack(spent);
      expect(anna.purse(to._id)).toMatchObject({ balance: clawback === 'pendingOnly' ? 60 : 0, debt: 0 });
      expect(anna.purse(from._id)).toMatchObject({ balance: input, debt: 0 });
    });
  },
);

describe.each(['full', 'toZero'] as const)('%s: two transfers in one activity', (clawback) => {
  const fifteen = { expiry: { type: 'rolling', value: 15, unit: 'minute' } } as const;
  const [q, p, r] = [
    policyNamed('Q', { clawback }),
    policyNamed('P', { clawback, ...fifteen }),
    policyNamed('R', { clawback }),
  ];

  test('points that the second brings back past their date expire before the first is charged', () => {
    const anna = new StoredMember([q, p, r]);
    posted(anna, { purse: p._id, earn: 50 });
    posted(anna, { purse: q._id, earn: 50 });
    const moved = anna.transfer(
      { from: q._id, to: p._id, points: 50 },
      // The lot that expires first is burned first: the points that were there before.
      { from: p._id, to: r._id, points: 50 },
    );
    assert(moved);
    posted(anna, { purse: p._id, spend: 50 }, { purse: r._id, spend: 50 });
    anna.passTo(minute(20));
    posted(anna, { purse: r._id, earn: 50 });
    anna.giveBack(moved);
    const isFull = clawback === 'full';
    expect(anna.purse(p._id)).toMatchObject({ debt: isFull ? 50 : 0, expiredPoints: 50 });
    expect(anna.purse(q._id)).toMatchObject({ balance: isFull ? 50 : 0 });
    expect(anna.purse(r._id)).toMatchObject({ balance: 0, debt: 0 });
    expect(checkInvariants(anna.stored())).toEqual([]);
  });

  test('points that the second brings back to the first go back with it, whatever their date', () => {
    const anna = new StoredMember([q, p, r]);
    posted(anna, { purse: q._id, earn: 80, expiry: fifteen.expiry });
    const moved = anna.transfer({ from: q._id, to: p._id, points: 80 }, { from: p._id, to: r._id, points: 50 });
    assert(moved);
    posted(anna, { purse: p._id, spend: 30 }, { purse: r._id, spend: 50 });
    anna.passTo(minute(20));
    posted(anna, { purse: r._id, earn: 50 });
    anna.giveBack(moved);
    expect(anna.purse(p._id)).toMatchObject({ debt: clawback === 'full' ? 30 : 0, expiredPoints: 0 });
    expect(anna.purse(q._id)).toMatchObject({ balance: 0, expiredPoints: clawback === 'full' ? 80 : 50 });
    expect(anna.purse(r._id)).toMatchObject({ balance: 0, debt: 0 });
    expect(checkInvariants(anna.stored())).toEqual([]);
  });
});
