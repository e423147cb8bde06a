import { ObjectId } from 'bson';
import { DateTime } from 'luxon';
import { localDay } from '#base/calendar/localCalendar';
import { bestClaim } from '#engine/tiers/claims';
import { keyAt, type LadderInput } from '#engine/tiers/levels';
import { findLadder, type MemberTiers, withLadder } from '#engine/tiers/memberTiers';
import { lapseByPeriods } from '#engine/tiers/periodClaims';
import { reachTiers, revokeTiers } from '#members/memberState/settleState';
import { addToRunningTotals, type RunningTotal } from '#records/aggregates/runningTotals';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { type Posted, type ReplayTerms, thresholds } from './replay';

/** An activity with the moment at which it is posted, never before its date. A negative value is a return of it. */
export interface Arrival extends Posted {
  at: Date;
}

/** A member whose ladder moves as in commits and in a timer at each midnight. */
export class TieredMember {
  private tiers: MemberTiers = { ladders: [], changes: [] };
  private keptSums: readonly RunningTotal[] = [];
  private readonly policy: TierPolicy;

  constructor(private readonly terms: ReplayTerms) {
    const { period, value, downgrade, graceDays } = terms;
    const snap = period === 'year' ? ('endOfYear' as const) : ('endOfMonth' as const);
    this.policy = {
      _id: new ObjectId(),
      name: 'Status',
      downgrade,
      lateClaims: 'counted' as const,
      levels: thresholds.map((threshold, n) => ({ name: `L${n + 1}`, number: n + 1, threshold })),
      basis: { metric: 'miles', period },
      expiry: { value, unit: period, snap },
      ...(graceDays > 0 ? { grace: { value: graceDays, unit: 'day' as const } } : {}),
    } as TierPolicy;
  }

  /** Posts an activity, or returns all or a part of one. */
  post({ at, date, value }: Arrival): void {
    const { zone: timezone } = this.terms;
    const entry = { member: this.policy._id, metric: 'miles', value, day: localDay(date, timezone), at: date };
    for (const each of [at, date]) this.open(each);
    this.keptSums = addToRunningTotals(this.keptSums, [entry]);
    const state = {
      doc: { enrolledAt: at },
      program: { timezone },
      tierPolicies: [this.policy],
      tiers: this.tiers,
      aggregates: [],
      keptSums: this.keptSums,
      ledger: { now: at },
    } as unknown as Parameters<typeof reachTiers>[0];
    if (value < 0) revokeTiers(state, {});
    else reachTiers(state, {}, [entry]);
    this.tiers = state.tiers;
  }

  timer(now: Date): void {
    const ladder = findLadder(this.tiers, this.policy._id);
    if (!ladder?.due || ladder.due > now) return;
    const input: LadderInput = { policy: this.policy, timezone: this.terms.zone, now };
    const key = (date: Date) => keyAt(date, input);
    const valueAt = (date: Date) => this.keptSums.find((sum) => sum.key === key(date))?.value ?? 0;
    const next = lapseByPeriods(ladder, valueAt, input);
    this.tiers = withLadder(this.tiers, next, { policy: this.policy, why: 'renewed' });
  }

  level(): number {
    const ladder = findLadder(this.tiers, this.policy._id);
    return (ladder && bestClaim(ladder)?.level.number) ?? 0;
  }

  /** Opens the sum of the period of a date and of all periods that may decide, as the load of a batch does. */
  private open(at: Date): void {
    const { period, zone } = this.terms;
    const start = DateTime.fromJSDate(at, { zone }).startOf(period);
    for (let back = 0; back <= 4; back += 1) {
      const date = start.minus({ [period]: back }).toJSDate();
      const key = keyAt(date, { policy: this.policy, timezone: zone });
      if (this.keptSums.some((sum) => sum.key === key)) continue;
      this.keptSums = [...this.keptSums, { metric: 'miles', period, key, value: 0 }];
    }
  }
}
