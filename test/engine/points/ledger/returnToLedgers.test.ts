import assert from 'node:assert';
import { adjust } from '#engine/points/ledger/adjust';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';
import { checkInvariants } from '#members/reconcile/checkInvariants';
import { minute, points, policyNamed } from '../builders';
import { type Activity, type Step, StoredMember } from '../storedMember';

const purse = points._id;
const forgiving = policyNamed('Forgiving', { clawback: 'toZero' });
const pending = policyNamed('Pending', { clawback: 'pendingOnly' });
const indebted = policyNamed('Indebted', { overdraftLimit: 100 });
const expiring = policyNamed('Expiring', { expiry: { type: 'rolling', value: 30, unit: 'minute' } });
const escrow: Step['escrow'] = { type: 'duration', value: 60, unit: 'minute' };

function memberWith(...policies: LedgerPolicy[]): StoredMember {
  return new StoredMember(policies);
}

function posted(member: StoredMember, ...steps: Step[]): Activity {
  const activity = member.post(steps);
  assert(activity, 'the activity was refused');
  return activity;
}

/** The lines of the log, as `points did`. */
function output({ lines }: ReturnType<StoredMember['giveBack']>): string[] {
  return lines.map(({ did, points: amount }) => `${amount} ${did}`);
}

let checked: StoredMember[] = [];
const member = (...policies: LedgerPolicy[]) => {
  const one = memberWith(...policies);
  checked.push(one);
  return one;
};

afterEach(() => {
  for (const one of checked) expect(checkInvariants(one.stored())).toEqual([]);
  checked = [];
});

test('cancelling an award takes its points back, those in escrow too', () => {
  const anna = member(points);
  const activity = posted(anna, { purse, earn: 100 }, { purse, earn: 40, escrow });
  expect(output(anna.giveBack(activity))).toEqual(['100 reversed', '40 reversed']);
  expect(anna.purse(purse)).toMatchObject({ balance: 0, escrowsIn: 0, debt: 0, accruedPoints: 140 });
  expect(anna.nextDue).toBeUndefined();
});

test('a lot that is reversed in escrow is never released', () => {
  const anna = member(points);
  const activity = posted(anna, { purse, earn: 40, escrow });
  anna.giveBack(activity);
  expect([...anna.lots.values()]).toMatchObject([{ state: 'reversed', hasEscrowed: false }]);
});

test.each([
  [100, [1, 3], [33]],
  [100, [2, 3], [66]],
  [100, [3, 3], [100]],
  [1, [1, 2], [0]],
  [Number.MAX_SAFE_INTEGER, [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER], [Number.MAX_SAFE_INTEGER - 1]],
  [9_007_199_254_740_881, [2, 3], [6_004_799_503_160_587]],
])(
  'returns of %i points by %j of the value take back %j, rounded down exactly',
  (earn, [returned = 0, of = 0], [expected]) => {
    const anna = member(points);
    const activity = posted(anna, { purse, earn });
    anna.giveBack(activity, { returned, of });
    expect(activity.effects.accrued[0]?.returned).toBe(expected);
  },
);

test('returns in parts add up to the whole, without a point lost to rounding', () => {
  const anna = member(points);
  const activity = posted(anna, { purse, earn: 100 });
  const parts = [1, 2, 3].map((returned) => {
    const before = activity.effects.accrued[0]?.returned ?? 0;
    anna.giveBack(activity, { returned, of: 3 });
    return (activity.effects.accrued[0]?.returned ?? 0) - before;
  });
  expect(parts).toEqual([33, 33, 34]);
});

describe('points that were burned in the meantime', () => {
  test('full: become debt', () => {
    const anna = member(points);
    const activity = posted(anna, { purse, earn: 100 });
    posted(anna, { purse, spend: 70 });
    expect(output(anna.giveBack(activity))).toEqual(['30 reversed', '70 becameDebt']);
    expect(anna.purse(purse)).toMatchObject({ balance: -70, availBalance: -70, debt: 70 });
  });

  test('full: are first taken from other available lots in the commit', () => {
    const anna = member(points);
    const activity = posted(anna, { purse, earn: 100 });
    posted(anna, { purse, spend: 100 });
    posted(anna, { purse, earn: 60 });
    expect(output(anna.giveBack(activity))).toEqual(['60 takenFromOthers', '40 becameDebt']);
    expect(anna.purse(purse)).toMatchObject({ balance: -40, debt: 40 });
  });

  test('toZero: are taken from another lot, and the rest is forgiven', () => {
    const anna = member(forgiving);
    const activity = posted(anna, { purse: forgiving._id, earn: 100 });
    posted(anna, { purse: forgiving._id, spend: 100 });
    posted(anna, { purse: forgiving._id, earn: 60 });
    expect(output(anna.giveBack(activity))).toEqual(['60 takenFromOthers', '40 forgiven']);
    expect(anna.purse(forgiving._id)).toMatchObject({ balance: 0, debt: 0 });
  });

  test('toZero: are not taken from lots in escrow', () => {
    const anna = member(forgiving);
    const activity = posted(anna, { purse: forgiving._id, earn: 100 });
    posted(anna, { purse: forgiving._id, spend: 100 });
    posted(anna, { purse: forgiving._id, earn: 60, escrow });
    expect(output(anna.giveBack(activity))).toEqual(['100 forgiven']);
    expect(anna.purse(forgiving._id)).toMatchObject({ balance: 60, escrowsIn: 60 });
  });

  test('toZero: are not taken from another award of the activity', () => {
    const anna = member(forgiving);
    const activity = posted(anna, { purse: forgiving._id, earn: 50 }, { purse: forgiving._id, earn: 50 });
    posted(anna, { purse: forgiving._id, spend: 50 });
    expect(output(anna.giveBack(activity)).sort()).toEqual(['50 forgiven', '50 reversed']);
    expect(anna.purse(forgiving._id).balance).toBe(0);
  });

  test('pendingOnly: stay when they were released', () => {
    const anna = member(pending);
    const activity = posted(anna, { purse: pending._id, earn: 100 }, { purse: pending._id, earn: 30, escrow });
    posted(anna, { purse: pending._id, spend: 20 });
    expect(output(anna.giveBack(activity))).toEqual(['30 reversed', '100 kept']);
    expect(anna.purse(pending._id)).toMatchObject({ balance: 80, escrowsIn: 0, debt: 0 });
  });

  test('cost nothing in a partial return while they are within the rest', () => {
    const anna = member(points);
    const activity = posted(anna, { purse, earn: 100 });
    posted(anna, { purse, spend: 50 });
    expect(output(anna.giveBack(activity, { returned: 1, of: 2 }))).toEqual(['50 reversed']);
    expect(output(anna.giveBack(activity, { returned: 2, of: 2 }))).toEqual(['50 becameDebt']);
  });

  test('are charged once over several partial returns', () => {
    const anna = member(points);
    const activity = posted(anna, { purse, earn: 100 });
    posted(anna, { purse, spend: 100 });
    for (const returned of [1, 2, 3, 4]) anna.giveBack(activity, { returned, of: 4 });
    expect(anna.purse(purse).debt).toBe(100);
  });
});

test('charged points are not charged again, also when some of them came back past their date', () => {
  const anna = member(expiring);
  const bought = posted(anna, { purse: expiring._id, earn: 100 });
  const redeemed = posted(anna, { purse: expiring._id, spend: 100 });
  expect(output(anna.giveBack(bought, { returned: 1, of: 2 }))).toEqual(['50 becameDebt']);
  anna.passTo(minute(30));
  anna.giveBack(redeemed, { returned: 2, of: 5 });
  expect([...anna.lots.values()]).toMatchObject([{ burnedPoints: 60, expiredPoints: 0, reversedPoints: 40 }]);
  expect(anna.purse(expiring._id).debt).toBe(10);
  expect(output(anna.giveBack(bought))).toEqual(['50 becameDebt']);
  expect(anna.purse(expiring._id).debt).toBe(60);
});

test('expired points are gone and charged to nobody', () => {
  const anna = member(expiring);
  const activity = posted(anna, { purse: expiring._id, earn: 100 });
  posted(anna, { purse: expiring._id, spend: 30 });
  anna.passTo(minute(30));
  expect(output(anna.giveBack(activity))).toEqual(['70 alreadyGone', '30 becameDebt']);
  expect(anna.purse(expiring._id)).toMatchObject({ balance: -30, expiredPoints: 70 });
});

describe('points that were changed by hand', () => {
  test('are gone and charged to nobody when they were removed', () => {
    const anna = member(points);
    const activity = posted(anna, { purse, earn: 100 });
    posted(anna, { purse, spend: 30 });
    const [lot] = anna.lots.values();
    assert(lot);
    anna.commit((ledger) => adjust(ledger, { lot: lot._id, available: -70 }));
    expect(output(anna.giveBack(activity, { returned: 1, of: 2 }))).toEqual(['50 alreadyGone']);
    expect(output(anna.giveBack(activity))).toEqual(['20 alreadyGone', '30 becameDebt']);
    expect(anna.purse(purse)).toMatchObject({ balance: -30, debt: 30 });
  });

  test('stay when they were added, and what expired of the lot counts before what was spent', () => {
    const anna = member(expiring);
    const activity = posted(anna, { purse: expiring._id, earn: 50 });
    const [lot] = anna.lots.values();
    assert(lot);
    anna.commit((ledger) => adjust(ledger, { lot: lot._id, available: 30 }));
    posted(anna, { purse: expiring._id, spend: 40 });
    anna.passTo(minute(30));
    expect(output(anna.giveBack(activity, { returned: 2, of: 5 }))).toEqual(['20 alreadyGone']);
    expect(output(anna.giveBack(activity))).toEqual(['20 alreadyGone', '10 becameDebt']);
  });

  test('are not invented at the source when they were removed after a transfer', () => {
    const anna = member(points, forgiving);
    posted(anna, { purse, earn: 100 });
    const moved = anna.transfer({ from: purse, to: forgiving._id, points: 60 });
    assert(moved);
    const arrived = [...anna.lots.values()].find((lot) => lot.purse.equals(forgiving._id));
    assert(arrived);
    anna.commit((ledger) => adjust(ledger, { lot: arrived._id, available: -60 }));
    expect(output(anna.giveBack(moved, { returned: 1, of: 3 }))).toEqual(['20 alreadyGone']);
    anna.giveBack(moved);
    expect(anna.purse(purse)).toMatchObject({ balance: 40, burnedPoints: 0 });
    expect(anna.purse(forgiving._id)).toMatchObject({ balance: 0, debt: 0 });
  });
});

test('cancelling a redemption restores the lots that it burned', () => {
  const anna = member(points);
  posted(anna, { purse, earn: 10 });
  posted(anna, { purse, earn: 10 });
  const before = [...anna.lots.values()].map(({ availablePoints }) => availablePoints);
  const activity = posted(anna, { purse, spend: 15 });
  expect(output(anna.giveBack(activity)).sort()).toEqual(['10 restored', '5 restored']);
  expect([...anna.lots.values()].map(({ availablePoints }) => availablePoints)).toEqual(before);
  expect(anna.purse(purse)).toMatchObject({ balance: 20, burnedPoints: 0 });
});

test('restored points past their expiry expire in the same commit, at their date', () => {
  const anna = member(expiring);
  posted(anna, { purse: expiring._id, earn: 10 });
  const activity = posted(anna, { purse: expiring._id, spend: 10 });
  anna.passTo(minute(40));
  const { expired } = anna.giveBack(activity);
  expect(expired).toMatchObject([{ points: 10, date: minute(30) }]);
  expect(anna.purse(expiring._id)).toMatchObject({ balance: 0, expiredPoints: 10 });
});

test('restored points past their expiry do not pay a shortfall', () => {
  const policy = policyNamed('Points');
  const anna = member(policy);
  posted(anna, { purse: policy._id, earn: 10, expiry: { type: 'rolling', value: 30, unit: 'minute' } });
  const later = posted(anna, { purse: policy._id, earn: 7 }, { purse: policy._id, spend: 10 });
  posted(anna, { purse: policy._id, spend: 7 });
  anna.passTo(minute(40));
  expect(output(anna.giveBack(later))).toEqual(['10 restored', '7 becameDebt']);
  expect(anna.purse(policy._id)).toMatchObject({ debt: 7, expiredPoints: 10 });
});

test('debt that a redemption made is lowered', () => {
  const anna = member(indebted);
  const activity = posted(anna, { purse: indebted._id, spend: 100 });
  expect(output(anna.giveBack(activity, { returned: 1, of: 4 }))).toEqual(['25 debtLowered']);
  expect(anna.purse(indebted._id)).toMatchObject({ balance: -75, debt: 75 });
});

test('debt that was repaid in the meantime is restored to the lots that repaid it, the latest first', () => {
  const anna = member(indebted);
  const activity = posted(anna, { purse: indebted._id, spend: 100 });
  posted(anna, { purse: indebted._id, earn: 40 });
  posted(anna, { purse: indebted._id, earn: 40 });
  expect(output(anna.giveBack(activity, { returned: 7, of: 10 }))).toEqual([
    '20 debtLowered',
    '40 restored',
    '10 restored',
  ]);
  expect([...anna.lots.values()]).toMatchObject([
    { availablePoints: 10, burnedPoints: 30, repaidPoints: 30 },
    { availablePoints: 40, burnedPoints: 0, repaidPoints: 0 },
  ]);
  expect(anna.purse(indebted._id)).toMatchObject({ balance: 50, debt: 0, burnedPoints: 30 });
});

test('an activity that burned from its own award leaves nothing behind', () => {
  const anna = member(forgiving);
  const activity = posted(anna, { purse: forgiving._id, earn: 100 }, { purse: forgiving._id, spend: 100 });
  expect(output(anna.giveBack(activity))).toEqual(['100 restored', '100 reversed']);
  expect(anna.purse(forgiving._id)).toMatchObject({ balance: 0, debt: 0, burnedPoints: 0 });
});

test('restored points repay the remaining debt', () => {
  const anna = member(indebted);
  posted(anna, { purse: indebted._id, earn: 50 });
  const first = posted(anna, { purse: indebted._id, spend: 50 });
  posted(anna, { purse: indebted._id, spend: 30 });
  anna.giveBack(first);
  expect(anna.purse(indebted._id)).toMatchObject({ balance: 20, availBalance: 20, debt: 0 });
});

test('cancelling an activity without effect changes nothing', () => {
  const anna = member(points);
  posted(anna, { purse, earn: 1 });
  const nothing: Activity = { id: purse, effects: { accrued: [], burned: [], debts: [] } };
  expect(anna.giveBack(nothing).lines).toEqual([]);
  expect(anna.entries).toHaveLength(1);
});
