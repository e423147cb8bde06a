import assert from 'node:assert';
import type { ObjectId } from 'bson';
import fc from 'fast-check';
import { derivedId } from '#base/db/records';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';
import { checkInvariants } from '#members/reconcile/checkInvariants';
import type { Lot } from '#records/points/lot';
import { member, minute, policyNamed } from './builders';
import { type Activity, type Step, StoredMember } from './storedMember';

/** The policy for burned points whose award is cancelled. */
export type Clawback = LedgerPolicy['clawback'];

const terms: Pick<LedgerPolicy, 'overdraftLimit' | 'escrow' | 'expiry'>[] = [
  { overdraftLimit: 0 },
  { overdraftLimit: 60 },
  { overdraftLimit: 40, expiry: { type: 'rolling', value: 15, unit: 'minute' } },
  {
    overdraftLimit: 40,
    escrow: { type: 'duration', value: 5, unit: 'minute' },
    expiry: { type: 'rolling', value: 20, unit: 'minute' },
  },
  { overdraftLimit: 20, expiry: { type: 'inactivity', value: 12, unit: 'minute' } },
  {
    overdraftLimit: 20,
    escrow: { type: 'duration', value: 9, unit: 'minute' },
    expiry: { type: 'inactivity', value: 6, unit: 'minute' },
  },
];

const purse = fc.nat(terms.length - 1);
const who = fc.nat(1);
const points = fc.integer({ min: 1, max: 100 });

/** A step of a test with two members. */
export type Command =
  | { do: 'post'; who: number; steps: { purse: number; points: number; isSpend: boolean }[]; ago: number }
  | { do: 'transfer'; who: number; legs: { to: number; fromPurse: number; toPurse: number; points: number }[] }
  | { do: 'giveBack'; which: number; part: number }
  | { do: 'wait'; minutes: number }
  | { do: 'merge' };

const post: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('post' as const),
  who,
  // Few purses, so that activities meet.
  steps: fc.array(fc.record({ purse, points, isSpend: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  ago: fc.oneof(fc.constant(0), fc.nat(25)),
});
const transfer: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('transfer' as const),
  who,
  legs: fc
    .array(fc.record({ to: who, fromPurse: purse, toPurse: purse, points, isOn: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    })
    // Makes chains: a transfer may start at the purse where the transfer before it ended.
    .map((legs) =>
      legs.map((leg, index) => (leg.isOn ? { ...leg, fromPurse: legs[index - 1]?.toPurse ?? leg.fromPurse } : leg)),
    ),
});
const giveBack: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('giveBack' as const),
  which: fc.nat(),
  part: fc.integer({ min: 1, max: 4 }),
});
const wait: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('wait' as const),
  minutes: fc.integer({ min: 1, max: 9 }),
});
const merge: fc.Arbitrary<Command> = fc.constant({ do: 'merge' });

/** Activities, returns, waits and a merge in any order. */
export const commands = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: post },
    { weight: 4, arbitrary: transfer },
    { weight: 4, arbitrary: giveBack },
    { weight: 4, arbitrary: wait },
    { weight: 1, arbitrary: merge },
  ),
  { minLength: 2, maxLength: 25 },
);

/** Two members of one program, their activities, and the quarters of each activity that were returned. */
export class MemberPair {
  readonly policies: LedgerPolicy[];
  readonly members: StoredMember[];
  readonly done: { of: StoredMember; activity: Activity; returned: number }[] = [];
  now = 0;
  private isMerged = false;

  /**
   * @param clawbacks claw-back policies that the purse policies use in turn
   * @param timerRuns tells whether the timer runs for a member at a minute; otherwise commits settle the member
   */
  constructor(
    clawbacks: readonly Clawback[],
    private readonly timerRuns: (minutes: number, member: number) => boolean = () => false,
  ) {
    let ids = 0;
    const nextId = () => derivedId('made', ++ids);
    this.policies = terms.map((each, index) =>
      policyNamed(`Purse ${index}`, { ...each, clawback: clawbacks[index % clawbacks.length] ?? 'full' }),
    );
    this.members = ['anna', 'ben'].map(
      (name) => new StoredMember(this.policies, 'UTC', { ...member, _id: derivedId('member', name) }, nextId),
    );
    // A member has its purses from the first commit on.
    for (const one of this.members) one.commit(() => undefined);
  }

  run(next: Command): void {
    if (next.do === 'wait') this.wait(next.minutes);
    else if (next.do === 'post') this.post(next);
    else if (next.do === 'transfer') this.transfer(next);
    else if (next.do === 'giveBack') this.giveBack(next.which, next.part);
    else this.merge();
    this.check();
  }

  /** Returns everything that is left of all activities, in this order and with these waits. */
  cancelAll(order: readonly number[], waits: readonly number[]): void {
    for (let index = 0; this.done.some(({ returned }) => returned < 4); index += 1) {
      this.giveBack(order[index] ?? 0, 4);
      this.wait(waits[index] ?? 0);
      this.check();
    }
  }

  /** The balance, debt and escrow of all members, by purse. */
  totals(): { balance: number; debt: number; escrow: number }[] {
    return this.policies.map(({ _id }) => {
      const purses = this.members.flatMap(({ purses: all }) => all.filter(({ policyId }) => policyId.equals(_id)));
      const total = (of: (purse: (typeof purses)[number]) => number) => purses.reduce((sum, one) => sum + of(one), 0);
      return {
        balance: total(({ balance }) => balance),
        debt: total(({ debt }) => debt),
        escrow: total(({ escrowsIn }) => escrowsIn),
      };
    });
  }

  /** The lots of all members. */
  lots(): Lot[] {
    return this.members.flatMap(({ lots }) => [...lots.values()]);
  }

  private member(index: number): StoredMember {
    const one = this.members[index]?.survivor();
    assert(one);
    return one;
  }

  private policy(index: number): LedgerPolicy {
    const policy = this.policies[index];
    assert(policy);
    return policy;
  }

  /** Lets time pass for all members. Due lots are settled by the next commit of each. */
  private wait(minutes: number): void {
    for (let passed = 0; passed < minutes; passed += 1) {
      this.now += 1;
      for (const [index, one] of this.members.entries()) {
        one.now = minute(this.now);
        if (this.timerRuns(this.now, index)) one.passTo(one.now);
      }
    }
  }

  private post({ who: index, steps, ago }: Command & { do: 'post' }): void {
    const of = this.member(index);
    const requests = steps.map(({ purse: at, points: amount, isSpend }): Step => {
      return { purse: this.policy(at)._id, ...(isSpend ? { spend: amount } : { earn: amount }) };
    });
    const activity = of.post(requests, minute(this.now - ago), 'live', true);
    if (activity) this.done.push({ of, activity, returned: 0 });
  }

  private transfer({ who: index, legs }: Command & { do: 'transfer' }): void {
    const of = this.member(index);
    const transfers = legs.flatMap(({ to, fromPurse, toPurse, points: amount }) => {
      const receiver = this.member(to);
      if (of === receiver && fromPurse === toPurse) return [];
      return [{ from: this.policy(fromPurse)._id, to: this.policy(toPurse)._id, points: amount, receiver }];
    });
    const activity = transfers.length > 0 ? of.transfer(...transfers) : undefined;
    if (activity) this.done.push({ of, activity, returned: 0 });
  }

  private giveBack(which: number, part: number): void {
    const open = this.done.filter(({ returned }) => returned < 4);
    const one = open[which % open.length];
    if (!one) return;
    one.returned = Math.min(4, one.returned + part);
    one.of.survivor().giveBack(one.activity, { returned: one.returned, of: 4 });
  }

  private merge(): void {
    const [anna, ben] = this.members;
    assert(anna && ben);
    if (!this.isMerged) anna.absorb(ben);
    this.isMerged = true;
  }

  /** Checks that ledgers are consistent, and that members have and spent no more points than they were awarded. */
  private check(): void {
    for (const one of this.members) assert.deepStrictEqual(checkInvariants(one.stored()), []);
    const effects = this.done.flatMap(({ activity: { effects: own, elsewhere } }) => [
      own,
      ...(elsewhere ? [elsewhere.effects] : []),
    ]);
    const awards = effects.flatMap(({ accrued }) => accrued.filter(({ moved }) => !moved));
    const uses = effects.flatMap(({ burned, debts }) => [...burned.filter(({ movedTo }) => !movedTo), ...debts]);
    const spent = uses.reduce((sum, { points: amount, restored }) => sum + amount - restored, 0);
    const current = this.totals().reduce((sum, { balance }) => sum + balance, 0);
    const isFull = this.policies.every(({ clawback }) => clawback === 'full');
    // Charged points may have been spent. With `pendingOnly` nothing tells how many returned points could be reversed.
    const isPending = (id: ObjectId) =>
      this.policies.some(({ _id, clawback }) => _id.equals(id) && clawback === 'pendingOnly');
    const keptOf = ({ purse: id, points: amount, returned, charged }: (typeof awards)[number]) =>
      amount - (isPending(id) ? 0 : returned - (isFull ? 0 : charged));
    // Points that stayed where a transfer went were written off their award, so they are no longer charged for it.
    const stayed = effects
      .flatMap(({ accrued }) => accrued.filter(({ moved }) => moved))
      .reduce((sum, { purse: id, returned, charged }) => sum + (isPending(id) ? returned : charged), 0);
    const own = awards.reduce((sum, award) => sum + keptOf(award), 0);
    const all = awards.reduce((sum, { points: amount }) => sum + amount, 0);
    const kept = isFull ? own : Math.min(all, own + stayed);
    assert(current + spent <= kept, `${current} are held and ${spent} were spent of ${kept}`);
  }
}
