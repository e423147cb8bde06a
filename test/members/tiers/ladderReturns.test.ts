import { ObjectId } from 'bson';
import fc from 'fast-check';
import { topStep } from '#engine/tiers/claims';
import { climb, emptyLadder, revokeLevels, setLevel } from '#engine/tiers/ladder';
import { lapse } from '#engine/tiers/lapse';
import type { LadderInput } from '#engine/tiers/levels';
import type { Ladder } from '#records/members/memberTier';
import { scaled } from '../../support/scale';

const levels = [
  { name: 'Bronze', number: 1, threshold: 100 },
  { name: 'Silver', number: 2, threshold: 300 },
  { name: 'Gold', number: 3, threshold: 1000 },
];

/** A purchase with the value that was not returned. */
interface Purchase {
  month: string;
  left: number;
}

const monthOf = (date: Date) => date.toISOString().slice(0, 7);

/** A member with purchases, whose ladder moves as in commits and timers. */
class Climber {
  now = new Date('2026-01-10T12:00:00.000Z');
  ladder: Ladder;
  readonly purchases: Purchase[] = [];
  /** The month in which a rule set the level last. */
  setIn = '';

  constructor(private readonly terms: Partial<LadderInput['policy']>) {
    this.ladder = emptyLadder(this.input());
  }

  input(): LadderInput {
    const basis = { metric: 'spend', period: 'month' as const };
    const policy = { _id: policyId, levels, basis, downgrade: 'full' as const, ...this.terms };
    return { policy, timezone: 'UTC', now: this.now };
  }

  readonly valueAt = (date: Date) =>
    this.purchases.reduce((sum, { month, left }) => (month === monthOf(date) ? sum + left : sum), 0);

  timer(): void {
    this.ladder = lapse(this.ladder, this.valueAt, this.input());
  }

  buy(value: number): void {
    this.timer();
    this.purchases.push({ month: monthOf(this.now), left: value });
    this.reach();
  }

  giveBack(index: number, value: number): void {
    this.timer();
    const purchase = this.purchases[index % Math.max(1, this.purchases.length)];
    if (purchase) purchase.left -= Math.min(purchase.left, value);
    this.ladder = revokeLevels(this.ladder, this.valueAt, this.input());
    this.reach();
  }

  set(index: number): void {
    this.timer();
    const level = levels[index];
    if (!level) return;
    this.ladder = setLevel(this.ladder, { name: level.name, number: level.number }, this.input());
    this.setIn = monthOf(this.now);
    this.reach();
  }

  private reach(): void {
    this.ladder = lapse(this.ladder, this.valueAt, this.input());
    this.ladder = climb(this.ladder, this.valueAt(this.now), this.input());
  }

  get level(): string | undefined {
    return topStep(this.ladder)?.level.name;
  }
}

const policyId = new ObjectId();
const next = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000);

describe('a level reached in two months', () => {
  const goldTwice = () => {
    const member = new Climber({});
    member.buy(1000);
    member.now = next(member.now, 31);
    member.buy(1000);
    return member;
  };

  it('stays when the purchase of the first month is returned, also after the second month', () => {
    for (const later of [0, 28]) {
      const member = goldTwice();
      member.now = next(member.now, later);
      member.giveBack(0, 1000);
      expect(member.level).toBe('Gold');
    }
  });

  it('is lost when both are returned, and reached again', () => {
    const member = goldTwice();
    member.giveBack(0, 1000);
    member.giveBack(1, 800);
    expect(member.level).toBe('Bronze');
    member.buy(800);
    expect(member.level).toBe('Gold');
  });
});

it('a level is reached in its grace by more than renews it', () => {
  const member = new Climber({ expiry: { value: 20, unit: 'day' }, grace: { value: 30, unit: 'day' } });
  member.buy(300);
  member.now = next(member.now, 25);
  member.timer();
  member.buy(1000);
  expect(member.level).toBe('Gold');
});

const move = fc.oneof(
  fc.record({ type: fc.constant('buy' as const), value: fc.integer({ min: 0, max: 1500 }) }),
  fc.record({ type: fc.constant('giveBack' as const), value: fc.integer({ min: 1, max: 1500 }), index: fc.nat(20) }),
  fc.record({ type: fc.constant('wait' as const), value: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ type: fc.constant('timer' as const), value: fc.constant(0) }),
  fc.record({ type: fc.constant('set' as const), value: fc.nat(2) }),
);

const terms = fc.record({
  downgrade: fc.constantFrom('none' as const, 'one' as const, 'full' as const),
  expiry: fc.option(fc.record({ value: fc.integer({ min: 5, max: 90 }), unit: fc.constant('day' as const) }), {
    nil: undefined,
  }),
  grace: fc.option(fc.record({ value: fc.integer({ min: 1, max: 40 }), unit: fc.constant('day' as const) }), {
    nil: undefined,
  }),
});

/** The level that the present month alone reaches, written from docs/design/tiers.md. */
function reachedNow({ purchases, now }: Climber): number {
  const month = monthOf(now);
  const spent = purchases.reduce((sum, each) => sum + (each.month === month ? each.left : 0), 0);
  return [100, 300, 1000].filter((threshold) => spent >= threshold).length;
}

it('after every commit and timer a member has a level whenever the present month reaches it, unless a rule set it since', () => {
  fc.assert(
    fc.property(terms, fc.array(move, { maxLength: 40 }), ({ downgrade, expiry, grace }, moves) => {
      const member = new Climber({ downgrade, ...(expiry ? { expiry } : {}), ...(grace ? { grace } : {}) });
      for (const { type, value, ...more } of moves) {
        if (type === 'wait') {
          member.now = next(member.now, value);
          continue;
        }
        if (type === 'giveBack') member.giveBack('index' in more ? more.index : 0, value);
        else member[type](value);
        if (member.setIn === monthOf(member.now)) continue;
        expect(topStep(member.ladder)?.level.number ?? 0).toBeGreaterThanOrEqual(reachedNow(member));
      }
    }),
    { numRuns: scaled(3000) },
  );
});
