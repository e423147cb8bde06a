import assert from 'node:assert';
import fc from 'fast-check';
import { scaled } from '../../support/scale';
import { type Clawback, commands, MemberPair } from './memberPair';

const order = fc.array(fc.nat(), { minLength: 30, maxLength: 30 });
const waits = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })), { minLength: 30, maxLength: 30 });
const numRuns = scaled(100);

test.each<[string, Clawback[]]>([
  ['full', ['full']],
  ['toZero', ['toZero']],
  ['full and toZero', ['full', 'toZero', 'toZero', 'full']],
])('nothing is held and nothing is owed once everything is cancelled in any order: %s', (_, clawbacks) => {
  fc.assert(
    fc.property(commands, order, waits, (input, orderOf, waitsOf) => {
      const pair = new MemberPair(clawbacks);
      for (const next of input) pair.run(next);
      pair.cancelAll(orderOf, waitsOf);
      for (const total of pair.totals()) assert.deepStrictEqual(total, { balance: 0, debt: 0, escrow: 0 });
      // Nothing burned the points of any lot, so none says so: reports and breakage do not count them.
      for (const lot of pair.lots()) assert.deepStrictEqual(usesOf(lot), unused(lot));
    }),
    { numRuns },
  );
});

type Lot = ReturnType<MemberPair['lots']>[number];

function usesOf({ burnedPoints, repaidPoints, chargedPoints = 0, forgivenPoints = 0, reversedPoints, ...lot }: Lot) {
  const { hasBurned, state, expiredPoints } = lot;
  return { burnedPoints, repaidPoints, chargedPoints, forgivenPoints, reversedPoints, expiredPoints, hasBurned, state };
}

/** What a lot shows whose activity is cancelled: its points are reversed, unless they had expired before. */
function unused({ accruedPoints, expiredPoints }: Lot) {
  return {
    burnedPoints: 0,
    repaidPoints: 0,
    chargedPoints: 0,
    forgivenPoints: 0,
    hasBurned: false,
    reversedPoints: accruedPoints - expiredPoints,
    expiredPoints,
    state: expiredPoints > 0 ? 'expired' : 'reversed',
  };
}

test('an award that repaid an overdraft leaves nothing when both are cancelled, whichever is first', () => {
  const ends = [
    [0, 0],
    [1, 0],
  ].map((order) => {
    const pair = new MemberPair(['full']);
    pair.run({ do: 'post', who: 0, steps: [{ purse: 1, points: 4, isSpend: true }], ago: 0 });
    pair.run({ do: 'post', who: 0, steps: [{ purse: 1, points: 6, isSpend: false }], ago: 0 });
    pair.cancelAll(order, [0, 0]);
    return pair.lots().map(usesOf);
  });
  assert.deepStrictEqual(ends[0], ends[1]);
  assert.ok(ends[0]?.every(({ burnedPoints, hasBurned }) => burnedPoints === 0 && !hasBurned));
});

test('points that go to another purse and back in one activity are all taken, whichever is cancelled first', () => {
  const pair = new MemberPair(['full', 'toZero']);
  pair.run({ do: 'post', who: 0, steps: [{ purse: 1, points: 4, isSpend: false }], ago: 0 });
  const there = { to: 0, fromPurse: 1, toPurse: 0, points: 4 };
  pair.run({ do: 'transfer', who: 0, legs: [there, { to: 0, fromPurse: 0, toPurse: 1, points: 3 }] });
  pair.cancelAll([0, 0], [0, 0]);
  for (const total of pair.totals()) assert.deepStrictEqual(total, { balance: 0, debt: 0, escrow: 0 });
});

test('where some policies reverse pending points only, nothing is owed and at most the released points are held', () => {
  const clawback = fc.constantFrom<Clawback>('pendingOnly', 'full', 'toZero');
  fc.assert(
    fc.property(
      fc.array(clawback, { minLength: 6, maxLength: 6 }),
      commands,
      order,
      waits,
      (claws, input, ...after) => {
        const pair = new MemberPair(claws);
        for (const next of input) pair.run(next);
        pair.cancelAll(...after);
        let current = 0;
        let released = 0;
        for (const [index, { balance, debt, escrow }] of pair.totals().entries()) {
          assert.deepStrictEqual({ debt, escrow }, { debt: 0, escrow: 0 });
          if (claws[index] !== 'pendingOnly') assert.strictEqual(balance, 0);
          current += balance;
        }
        for (const { activity } of pair.done) {
          for (const { purse: id, points: amount, moved } of [
            ...activity.effects.accrued,
            ...(activity.elsewhere?.effects.accrued ?? []),
          ]) {
            if (!moved && pair.policies.some(({ _id }) => _id.equals(id))) released += amount;
          }
        }
        assert(current <= released, `${current} are held, but only ${released} were awarded`);
      },
    ),
    { numRuns },
  );
});
