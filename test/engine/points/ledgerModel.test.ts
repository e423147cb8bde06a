import assert from 'node:assert';
import fc from 'fast-check';
import { derivedId } from '#base/db/records';
import { adjust } from '#engine/points/ledger/adjust';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';
import { checkInvariants } from '#members/reconcile/checkInvariants';
import { scaled } from '../../support/scale';
import { member, minute, policyNamed } from './builders';
import { Oracle, type OracleActivity, type OraclePolicy } from './oracle';
import { type Activity, type Step, StoredMember } from './storedMember';

const policies: readonly OraclePolicy[] = [
  { overdraft: 0, clawback: 'full', escrowMinutes: 0, expiryMinutes: 0, inactivityMinutes: 0 },
  { overdraft: 60, clawback: 'full', escrowMinutes: 5, expiryMinutes: 20, inactivityMinutes: 0 },
  { overdraft: 30, clawback: 'toZero', escrowMinutes: 0, expiryMinutes: 15, inactivityMinutes: 0 },
  { overdraft: 40, clawback: 'pendingOnly', escrowMinutes: 8, expiryMinutes: 0, inactivityMinutes: 0 },
  { overdraft: 20, clawback: 'full', escrowMinutes: 0, expiryMinutes: 0, inactivityMinutes: 12 },
  { overdraft: 20, clawback: 'toZero', escrowMinutes: 9, expiryMinutes: 0, inactivityMinutes: 6 },
];

const purse = fc.nat(policies.length - 1);
const amount = fc.integer({ min: 1, max: 100 });
/** The value of every activity in minor units; returns are parts of this value. */
const value = 12;

type Command =
  | {
      do: 'post';
      steps: { purse: number; points: number; isSpend: boolean }[];
      ago: number;
      blind: boolean;
      counts: boolean;
    }
  | { do: 'giveBack'; which: number; part: number }
  | { do: 'transfer'; from: number; to: number; points: number }
  | { do: 'wait'; minutes: number };

const step = fc.record({ purse, points: amount, isSpend: fc.boolean() });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      ago: fc.oneof(fc.constant(0), fc.nat(40)),
      blind: fc.boolean(),
      counts: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('giveBack' as const),
      which: fc.nat(),
      part: fc.integer({ min: 1, max: value }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('transfer' as const), from: purse, to: purse, points: amount }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }) },
);

/** The ledger and the oracle side by side. */
class Pair {
  readonly oracle = new Oracle(policies);
  readonly policies = policies.map(ledgerPolicy);
  readonly member: StoredMember;
  readonly posted: { real: Activity; oracle: OracleActivity; returned: number }[] = [];

  constructor(name = 'anna', from = 0) {
    this.member = new StoredMember(this.policies, 'UTC', { ...member, _id: derivedId('member', name) });
    this.oracle.now = from;
    this.member.now = minute(from);
  }

  run(next: Command): void {
    if (next.do === 'wait') this.wait(next.minutes);
    else if (next.do === 'post') this.post(next);
    else if (next.do === 'transfer') this.transfer(next);
    else this.giveBack(next.which, next.part);
    this.compare();
  }

  absorb(other: Pair): void {
    this.member.absorb(other.member);
    this.oracle.absorb(other.oracle);
    this.posted.push(...other.posted.splice(0));
    for (const pair of [this, other]) pair.compare();
  }

  private transfer({ from, to, points }: Command & { do: 'transfer' }): void {
    if (from === to) return;
    const [left, into] = [this.policies[from], this.policies[to]];
    assert(left && into);
    const real = this.member.transfer({ from: left._id, to: into._id, points });
    const actual: OracleActivity = { earned: [], spent: [], debts: [] };
    const ids = real?.effects.accrued.map(({ lot }) => lot.toHexString());
    const isDone = this.oracle.transfer(actual, ids ?? [], { from, to, points });
    assert.strictEqual(real !== undefined, isDone);
    if (real) this.posted.push({ real, oracle: actual, returned: 0 });
  }

  private wait(minutes: number): void {
    this.oracle.now += minutes;
    this.oracle.settle();
    this.member.passTo(minute(this.oracle.now));
  }

  private post({ steps, ago, blind, counts }: Command & { do: 'post' }): void {
    const at = this.oracle.now - ago;
    const isBlind = blind && steps.every(({ isSpend }) => !isSpend);
    const real = this.member.post(
      steps.map((one) => this.stepOf(one)),
      minute(at),
      isBlind ? 'none' : 'live',
      counts,
    );
    const { lots, debt, inactiveOn } = this.oracle;
    const before = structuredClone({ lots, debt, inactiveOn });
    if (counts) this.oracle.act(at);
    const actual: OracleActivity = { earned: [], spent: [], debts: [] };
    let earned = 0;
    for (const { purse: to, points, isSpend } of steps) {
      if (!isSpend) this.oracle.earn(actual, real?.effects.accrued[earned++]?.lot.toHexString() ?? '', to, points, at);
      else if (this.oracle.canSpend(to, points)) this.oracle.spend(actual, to, points);
      else {
        assert.strictEqual(real, undefined, 'a redemption that is not covered is refused');
        this.oracle.lots.splice(0, Number.POSITIVE_INFINITY, ...before.lots);
        this.oracle.debt.splice(0, Number.POSITIVE_INFINITY, ...before.debt);
        this.oracle.inactiveOn.splice(0, Number.POSITIVE_INFINITY, ...before.inactiveOn);
        return;
      }
    }
    assert(real, 'a redemption that is covered succeeds');
    this.posted.push({ real, oracle: actual, returned: 0 });
  }

  private giveBack(which: number, part: number): void {
    const open = this.posted.filter((each) => each.returned < value);
    const activity = open[which % open.length];
    if (!activity) return;
    activity.returned = Math.min(value, activity.returned + part);
    const share = { returned: activity.returned, of: value };
    this.member.giveBack(activity.real, share);
    this.oracle.giveBack(activity.oracle, share.returned, share.of);
    assert.deepStrictEqual(
      activity.real.effects.accrued.map(({ returned, charged }) => ({ returned, charged })),
      activity.oracle.earned.map(({ returned, charged }) => ({ returned, charged })),
    );
  }

  compare(): void {
    assert.deepStrictEqual(checkInvariants(this.member.stored()), []);
    assert.deepStrictEqual(
      this.policies.map(({ _id }) => (this.member.purses.length > 0 ? this.member.purse(_id).debt : 0)),
      this.oracle.debt,
    );
    assert.deepStrictEqual(
      this.policies.map(({ _id }) => this.member.purses.find(({ policyId }) => policyId.equals(_id))?.inactiveOn),
      this.oracle.inactiveOn.map((at) => (at === undefined ? undefined : minute(at))),
    );
    for (const lot of this.oracle.lots) {
      const real = this.member.lots.get(lot.id);
      assert(real);
      const { escrowedPoints, availablePoints, burnedPoints, expiredPoints, reversedPoints, repaidPoints } = real;
      const { chargedPoints = 0, forgivenPoints = 0 } = real;
      const found = [escrowedPoints, availablePoints, burnedPoints, expiredPoints, reversedPoints, repaidPoints];
      const right = [lot.escrow, lot.available, lot.burned, lot.expired, lot.reversed, lot.repaid];
      assert.deepStrictEqual([...found, chargedPoints, forgivenPoints], [...right, lot.charged, lot.forgiven]);
    }
    assert.strictEqual(this.member.lots.size, this.oracle.lots.length);
  }

  private stepOf({ purse: index, points, isSpend }: { purse: number; points: number; isSpend: boolean }): Step {
    const policy = this.policies[index];
    assert(policy);
    return { purse: policy._id, ...(isSpend ? { spend: points } : { earn: points }) };
  }
}

function ledgerPolicy(
  { overdraft, clawback, escrowMinutes, expiryMinutes, inactivityMinutes }: OraclePolicy,
  index: number,
): LedgerPolicy {
  return policyNamed(`Purse ${index}`, {
    overdraftLimit: overdraft,
    clawback,
    escrow: { type: escrowMinutes > 0 ? 'duration' : 'none', value: escrowMinutes, unit: 'minute' },
    expiry:
      inactivityMinutes > 0
        ? { type: 'inactivity', value: inactivityMinutes, unit: 'minute' }
        : { type: expiryMinutes > 0 ? 'rolling' : 'none', value: expiryMinutes, unit: 'minute' },
  });
}

const commands = fc.array(command, { minLength: 1, maxLength: 30 });

test('all operations of the ledger do what the oracle says, and the invariants hold', () => {
  fc.assert(
    fc.property(commands, (input) => {
      const pair = new Pair();
      for (const next of input) pair.run(next);
    }),
    { numRuns: scaled(150) },
  );
});

test('a merge brings the survivor the points and the debt of the other, as the oracle says', () => {
  fc.assert(
    fc.property(commands, commands, commands, (ofOne, ofOther, after) => {
      // Half a minute apart, so that the order of repayments is known.
      const [pair, other] = [new Pair('anna'), new Pair('ben', 0.5)];
      for (const next of ofOne) pair.run(next);
      for (const next of ofOther) other.run(next);
      const now = Math.max(pair.oracle.now, other.oracle.now) + 1.25;
      for (const each of [pair, other]) each.run({ do: 'wait', minutes: now - each.oracle.now });
      pair.absorb(other);
      for (const next of after) pair.run(next);
      other.compare();
    }),
    { numRuns: scaled(80) },
  );
});

test('nothing is left and nothing is owed once everything is cancelled, in any order and parts', () => {
  const policy = policyNamed('Points', { overdraftLimit: 50 });
  const moves = fc.array(fc.record({ earn: fc.nat(100), spend: fc.nat(100) }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      moves,
      fc.array(fc.record({ which: fc.nat(), part: fc.integer({ min: 1, max: 4 }) })),
      (steps, returns) => {
        const member = new StoredMember([policy]);
        const posted = steps.flatMap(({ earn, spend }) => {
          const activity = member.post([
            { purse: policy._id, earn },
            { purse: policy._id, spend },
          ]);
          return activity ? [{ activity, returned: 0 }] : [];
        });
        const giveBack = (one: (typeof posted)[number], part: number) => {
          one.returned = Math.min(4, one.returned + part);
          member.giveBack(one.activity, { returned: one.returned, of: 4 });
        };
        for (const { which, part } of returns) {
          const open = posted.filter(({ returned }) => returned < 4);
          const one = open[which % open.length];
          if (one) giveBack(one, part);
        }
        for (const one of posted) if (one.returned < 4) giveBack(one, 4);
        if (posted.length === 0) return;
        const { balance, availBalance, debt } = member.purse(policy._id);
        assert.deepStrictEqual({ balance, availBalance, debt }, { balance: 0, availBalance: 0, debt: 0 });
        assert.deepStrictEqual(checkInvariants(member.stored()), []);
      },
    ),
  );
});

test('changes by hand keep the invariants', () => {
  const changes = fc.array(fc.record({ lot: fc.nat(5), change: fc.integer({ min: -60, max: 60 }), spend: fc.nat(80) }));
  fc.assert(
    fc.property(changes, (steps) => {
      const policy = policyNamed('Points', { overdraftLimit: 50 });
      const member = new StoredMember([policy]);
      const ids = [0, 1, 2, 3, 4, 5].flatMap(
        () => member.post([{ purse: policy._id, earn: 40 }])?.effects.accrued ?? [],
      );
      for (const { lot: index, change, spend } of steps) {
        const id = ids[index]?.lot;
        assert(id);
        const lot = member.lot(id);
        if (lot.state === 'available' && lot.availablePoints + change >= 0) {
          member.commit((ledger) => adjust(ledger, { lot: id, available: change }));
        }
        if (spend > 0) member.post([{ purse: policy._id, spend }]);
        assert.deepStrictEqual(checkInvariants(member.stored()), []);
      }
    }),
  );
});
