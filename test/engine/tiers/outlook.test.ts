import { ObjectId } from 'bson';
import fc from 'fast-check';
import { bestClaim } from '#engine/tiers/claims';
import { climb, emptyLadder, setLevel } from '#engine/tiers/ladder';
import { lapseInTime } from '#engine/tiers/lapseInTime';
import { keyAt, type LadderInput } from '#engine/tiers/levels';
import { levelOutlook, nextLevel, outlookDates, sumLookup } from '#engine/tiers/outlook';
import type { Ladder } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { scaled } from '../../support/scale';

const dayMs = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00.000Z');

const policies = fc.record({
  period: fc.constantFrom('month' as const, 'quarter' as const, 'year' as const, 'lifetime' as const),
  downgrade: fc.constantFrom('none' as const, 'one' as const, 'full' as const),
  expiry: fc.option(
    fc.record({
      value: fc.integer({ min: 1, max: 14 }),
      unit: fc.constantFrom('month' as const, 'week' as const),
      snap: fc.constantFrom('endOfMonth' as const, 'endOfYear' as const, undefined),
    }),
  ),
  graceDays: fc.constantFrom(0, 0, 20),
  timezone: fc.constantFrom('UTC', 'America/New_York'),
});

/** Posts on days of one and a half years, and the day of the forecast after them. */
const pasts = fc.record({
  posts: fc.array(fc.record({ day: fc.integer({ min: 0, max: 540 }), value: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 8,
  }),
  today: fc.integer({ min: 541, max: 700 }),
  isSet: fc.boolean(),
});

/** A member: its posts by the key of their period, and its ladder as commits and timers that are never late move it. */
class Member {
  readonly sums = new Map<string, number>();
  ladder: Ladder;

  constructor(private readonly made: { policy: LadderInput['policy']; timezone: string }) {
    this.ladder = emptyLadder(made);
  }

  input(at: Date): LadderInput {
    return { ...this.made, now: at, enrolledAt: new Date(start) };
  }

  /** Timers up to a moment. */
  settle(at: Date): void {
    const input = this.input(at);
    this.ladder = lapseInTime(this.ladder, sumLookup(this.sums, input), input).at(-1) ?? this.ladder;
  }

  post(at: Date, value: number): void {
    this.settle(at);
    const input = this.input(at);
    const key = keyAt(at, input);
    this.sums.set(key, (this.sums.get(key) ?? 0) + value);
    // As reachTiers does: a level in its grace goes on when it is reached again.
    const values = sumLookup(this.sums, input);
    this.ladder = climb(lapseInGrace(this.ladder, values, input), values(at), input);
  }

  copy(): Member {
    const copy = new Member(this.made);
    for (const [key, value] of this.sums) copy.sums.set(key, value);
    copy.ladder = this.ladder;
    return copy;
  }

  level(): number {
    return bestClaim(this.ladder)?.level.number ?? -1;
  }
}

function lapseInGrace(ladder: Ladder, values: (date: Date) => number, input: LadderInput): Ladder {
  return lapseInTime({ ...ladder, due: input.now }, values, input).at(-1) ?? ladder;
}

function memberOf({
  period,
  downgrade,
  expiry,
  graceDays,
  timezone,
}: typeof policies extends fc.Arbitrary<infer P> ? P : never) {
  const policy = {
    _id: new ObjectId(),
    name: 'Status',
    downgrade,
    basis: { metric: 'spend', period },
    levels: [30, 60, 120].map((threshold, n) => ({ name: `L${n + 1}`, number: n + 1, threshold })),
    ...(expiry
      ? { expiry: { value: expiry.value, unit: expiry.unit, ...(expiry.snap ? { snap: expiry.snap } : {}) } }
      : {}),
    ...(graceDays > 0 ? { grace: { value: graceDays, unit: 'day' as const } } : {}),
  } as unknown as TierPolicy;
  return new Member({ policy, timezone });
}

/** A member of the past, on the day of the forecast. */
function lived(terms: Parameters<typeof memberOf>[0], { posts, today, isSet }: Past) {
  const member = memberOf(terms);
  for (const { day, value } of [...posts].sort((a, b) => a.day - b.day)) {
    member.post(new Date(start + day * dayMs + 40_000_000), value);
  }
  const now = new Date(start + today * dayMs + 40_000_000);
  member.settle(now);
  if (isSet) member.ladder = setLevel(member.ladder, { name: 'L2', number: 2 }, member.input(now));
  const input = member.input(now);
  const needed = new Set(outlookDates(member.ladder, input).map((date) => keyAt(date, input)));
  const known = new Map([...member.sums].filter(([key]) => needed.has(key)));
  return { member, now, input, values: sumLookup(known, input) };
}

type Past = typeof pasts extends fc.Arbitrary<infer P> ? P : never;

/** The level after adding an amount for a need at the first or the last moment, and after the end of the level. */
function levelAfter(member: Member, amount: number, at: Date, until: Date): number {
  const later = member.copy();
  if (amount > 0) later.post(at, amount);
  later.settle(until);
  return later.level();
}

test('the shown amount keeps a level, one less does not, and a renewed level needs nothing', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(policies, pasts, (terms, past) => {
      const { member, input, values } = lived(terms, past);
      const current = bestClaim(member.ladder);
      const outlook = levelOutlook(member.ladder, values, input);
      seen.set(outlook?.outlook ?? 'none', (seen.get(outlook?.outlook ?? 'none') ?? 0) + 1);
      if (!current) return expect(outlook).toBeUndefined();
      if (!current.expiresOn) return expect(outlook).toEqual({ outlook: 'lasts' });
      const end = outlook?.graceUntil ?? current.expiresOn;
      const until = new Date(Math.max(end.getTime(), current.expiresOn.getTime()) + 1);
      const number = current.level.number;
      const idle = levelAfter(member, 0, input.now, until);
      if (outlook?.outlook === 'renewed') return expect(idle).toBeGreaterThanOrEqual(number);
      expect(idle).toBeLessThan(number);
      if (outlook?.outlook !== 'needs' || !outlook.keep) return expect(outlook?.keep).toBeUndefined();
      const { keep } = outlook;
      const last = new Date(Number(keep.by) - 1);
      for (const at of [keep.from, last]) {
        expect(levelAfter(member, keep.missing, at, until)).toBeGreaterThanOrEqual(number);
        expect(levelAfter(member, keep.missing - 1, at, until)).toBeLessThan(number);
      }
    }),
    { numRuns: scaled(1500) },
  );
  for (const outlook of ['lasts', 'renewed', 'needs', 'none']) expect(seen.get(outlook) ?? 0).toBeGreaterThan(0);
});

test('the shown amount reaches the next level, and one less does not', () => {
  let actual = 0;
  fc.assert(
    fc.property(policies, pasts, (terms, past) => {
      const { member, input, values, now } = lived(terms, past);
      const next = nextLevel(member.ladder, values, input);
      const number = bestClaim(member.ladder)?.level.number ?? 0;
      if (!next) return expect(levelAfter(member, 1_000_000, now, now)).toBe(number);
      actual += 1;
      const last = next.by ? new Date(next.by.getTime() - 1) : now;
      // Until then the level may end; that is what `keep` is about.
      const at = balances(member)?.expiresOn && last > (balances(member)?.expiresOn ?? last) ? now : last;
      for (const moment of [now, at]) {
        expect(levelAfter(member, next.missing, moment, moment)).toBeGreaterThanOrEqual(next.level.number);
        expect(levelAfter(member, next.missing - 1, moment, moment)).toBeLessThan(next.level.number);
      }
    }),
    { numRuns: scaled(1500) },
  );
  expect(actual).toBeGreaterThan(0);
});

function balances(member: Member) {
  return bestClaim(member.ladder);
}
