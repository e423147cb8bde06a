import { ObjectId } from 'bson';
import { dayOn, localDay } from '#base/calendar/localCalendar';
import { bestClaim, type Claim } from '#engine/tiers/claims';
import { grantLevel } from '#engine/tiers/grants';
import { emptyLadder } from '#engine/tiers/ladder';
import { lapseInTime } from '#engine/tiers/lapseInTime';
import { keyAt, type LadderInput } from '#engine/tiers/levels';
import { findLadder, type MemberTiers, withCounts, withLadder } from '#engine/tiers/memberTiers';
import { reachTiers, revokeTiers } from '#members/memberState/settleState';
import { addToRunningTotals, type RunningTotal } from '#records/aggregates/runningTotals';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** What happens to a member on a day: a level with a challenge, trips, or money spent. A negative value is a return. */
export type Deed =
  | { what: 'grant'; day: number; level: number; days: number }
  | { what: 'trips' | 'spend'; day: number; late: number; value: number };

const dayMs = 86_400_000;
const start = Date.UTC(2026, 9, 1);
const dateOf = (day: number) => new Date(start + day * dayMs);

/** A member of a policy whose ladder moves as in commits, with timers in time. Its challenges need `atLeast`. */
export class ChallengedMember {
  private tiers: MemberTiers = { ladders: [], changes: [] };
  private keptSums: readonly RunningTotal[];

  constructor(
    private readonly policy: TierPolicy,
    private readonly atLeast: number,
  ) {
    const keys = Array.from({ length: 60 }, (_, month) => dayOn(2023 + Math.floor(month / 12), (month % 12) + 1, 1));
    const { metric = 'trips', period = 'year' } = policy.basis ?? {};
    const known = new Set(keys.map((date) => keyAt(date, { policy, timezone: 'UTC' })));
    this.keptSums = [...known].map((key) => ({ metric, period, key, value: 0 }));
  }

  /** @returns whether a term of a level had ended by then */
  does(deed: Deed): boolean {
    const now = dateOf(deed.day);
    const hasLapsed = this.pass(now);
    if (deed.what === 'grant') this.grant(deed, now);
    else this.add(deed, now);
    return hasLapsed;
  }

  bestClaim(): Claim | undefined {
    const ladder = findLadder(this.tiers, this.policy._id);
    return ladder && bestClaim(ladder);
  }

  /** Lets timers come up to a moment. */
  private pass(now: Date): boolean {
    const ladder = findLadder(this.tiers, this.policy._id);
    const top = ladder?.steps.at(-1);
    if (!ladder?.due || ladder.due > now) return false;
    const valueAt = (date: Date) => this.keptSums.find(({ key }) => key === keyAt(date, this.input(now)))?.value ?? 0;
    for (const next of lapseInTime(ladder, valueAt, this.input(now))) {
      this.tiers = withLadder(this.tiers, next, { policy: this.policy, why: 'renewed' });
    }
    return top?.expiresOn !== undefined && top.expiresOn <= now;
  }

  private input(now: Date): LadderInput {
    return { policy: this.policy, timezone: 'UTC', now, enrolledAt: dateOf(0) };
  }

  private grant({ level: number, days }: { level: number; days: number }, now: Date): void {
    const { name = '' } = this.policy.levels.find((each) => each.number === number) ?? {};
    const keep = { metric: 'spend', atLeast: this.atLeast, counted: 0, from: now.toISOString().slice(0, 10) };
    const ladder = findLadder(this.tiers, this.policy._id) ?? emptyLadder({ policy: this.policy });
    const expiresOn = new Date(now.getTime() + days * dayMs);
    const granted = grantLevel(ladder, { level: { name, number }, expiresOn, keep }, this.input(now));
    this.tiers = withLadder(this.tiers, granted, { policy: this.policy, why: 'set' });
  }

  private add({ what, late, value }: { what: string; late: number; value: number }, now: Date): void {
    const at = new Date(now.getTime() - late * dayMs);
    const entry = { member: this.policy._id, metric: what, value, day: localDay(at, 'UTC'), at };
    this.keptSums = addToRunningTotals(this.keptSums, [entry]);
    const state = {
      doc: { enrolledAt: dateOf(0) },
      program: { timezone: 'UTC' },
      tierPolicies: [this.policy],
      tiers: withCounts(this.tiers, [entry]),
      aggregates: [],
      keptSums: this.keptSums,
      ledger: { now },
    } as unknown as Parameters<typeof reachTiers>[0];
    if (value < 0) revokeTiers(state, {});
    else reachTiers(state, {}, [entry]);
    this.tiers = state.tiers;
  }
}

/** Makes a policy of three levels. */
export function policyWith(fields: Partial<TierPolicy>): TierPolicy {
  const levels = ['Bronze', 'Silver', 'Gold'].map((name, number) => ({ name, number, threshold: (number + 1) * 100 }));
  return { _id: new ObjectId(), name: 'Status', levels, downgrade: 'full', ...fields } as TierPolicy;
}
