import assert from 'node:assert';
import { localDay } from '#base/calendar/localCalendar';
import { startOfDay } from '#base/calendar/windows';
import type { Author } from '#base/db/records';
import { type Settled, settle } from '#engine/points/ledger/settle';
import { lifetimeValue } from '#engine/sums/lifetime';
import { finished, topStep } from '#engine/tiers/claims';
import { keepLevels } from '#engine/tiers/grants';
import { climb, emptyLadder, revokeLevels } from '#engine/tiers/ladder';
import { lapseInTime } from '#engine/tiers/lapseInTime';
import { climbLate, isLate, type LateSum } from '#engine/tiers/lateClaim';
import type { LadderInput, ValueAt } from '#engine/tiers/levels';
import { findLadder, isNewLifetime, lapseReason, type TierChange, withLadder } from '#engine/tiers/memberTiers';
import { lapseByPeriods, revokePeriods } from '#engine/tiers/periodClaims';
import { followsPeriods } from '#engine/tiers/reachedPeriods';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import { runningTotal } from '#records/aggregates/runningTotals';
import type { Ladder } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { changeMember, type MemberState } from './memberState';

/** Number of lots released and expired, and of tiers that were renewed, downgraded or ended. */
export interface SettledCounts {
  released: number;
  tiers: number;
  expired: number;
}

/** Settles a member before any other change: releases, expiries and tier lapses that are due. */
export function settleState(state: MemberState, author: Author, now: Date): SettledCounts {
  if (!state.doc.nextDue || state.doc.nextDue > now || state.author) return { released: 0, tiers: 0, expired: 0 };
  const tiers = settleTiers(state);
  const settled = settle(state.ledger);
  changeMember(state, author, expiryMetrics(state, settled), now);
  return { released: settled.released, tiers, expired: settled.expired.length };
}

/** The metrics of expired points, on the day of their expiry. */
export function expiryMetrics(
  { doc, ledger }: Pick<MemberState, 'doc' | 'ledger'>,
  { expired }: { expired: readonly Pick<Settled['expired'][number], 'purse' | 'points' | 'date'>[] },
): MetricEntry[] {
  const member = doc._id;
  return expired.flatMap(({ purse, points, date }): MetricEntry[] => {
    const day = localDay(date, ledger.timezone);
    const { name } = ledger.purse(purse);
    return [
      { member, metric: 'pointsExpired', value: points, day },
      { member, metric: `pointsExpired:${name}`, value: points, day },
    ];
  });
}

/** The parts of the state from which tiers are computed. */
type TieredState = Pick<
  MemberState,
  'doc' | 'program' | 'tierPolicies' | 'tiers' | 'aggregates' | 'keptSums' | 'ledger'
>;

/** The activity that causes a change of tiers. */
type TierOrigin = Pick<TierChange, 'activity'>;

/**
 * Renews, lowers or ends the levels that are due.
 * @returns how many levels changed
 */
function settleTiers(state: TieredState): number {
  const before = state.tiers.changes.length;
  for (const policy of state.tierPolicies) {
    const ladder = findLadder(state.tiers, policy._id);
    if (ladder?.due && ladder.due <= state.ledger.now) lapseUntilNow(state, policy, ladder);
  }
  return state.tiers.changes.length - before;
}

/**
 * Moves the member up to the levels that its metrics reach now, and keeps levels with a met challenge.
 * @param added new changes of metrics; when late activities count, those in earlier periods may give the levels of
 *   these periods
 */
export function reachTiers(state: TieredState, origin: TierOrigin = {}, added: readonly MetricEntry[] = []): void {
  for (const policy of state.tierPolicies) {
    const input = ladderInput(state, policy);
    const before = findLadder(state.tiers, policy._id);
    // A level in its grace period continues when its threshold is reached again.
    if (before) lapseLadder(state, policy, before, origin);
    const ladder = findLadder(state.tiers, policy._id) ?? emptyLadder({ policy });
    const kept = keepLevels(ladder, input);
    if (kept !== ladder) state.tiers = withLadder(state.tiers, kept, { policy, why: 'kept', ...origin });
    const climbed = policy.basis ? climb(kept, valueAt(state, policy, state.ledger.now), input) : finished(kept, input);
    const next = lateSums(state, policy, added).reduce((from, late) => climbLate(from, late, input), climbed);
    const why = isNewLifetime(kept, next) ? 'lifetime' : 'reached';
    state.tiers = withLadder(state.tiers, next, { policy, why, ...origin });
  }
}

/** The sums of earlier periods that changes of metrics raised, when late activities count for levels. */
function lateSums(state: TieredState, policy: TierPolicy, added: readonly MetricEntry[]): LateSum[] {
  if (policy.lateClaims !== 'counted' || !policy.basis) return [];
  const { basis } = policy;
  const { timezone } = state.program;
  const days = new Map<number, LateSum>();
  for (const { metric, day, value } of added) {
    const date = startOfDay(day, timezone);
    const sum = metric === basis.metric && runningTotal(state.keptSums, basis, day);
    if (typeof sum !== 'number' || !isLate(date, ladderInput(state, policy))) continue;
    days.set(day.getTime(), { date, value: sum, added: value + (days.get(day.getTime())?.added ?? 0) });
  }
  return [...days.values()];
}

/** Revokes the levels that the member would not have reached without what a cancellation returned. */
export function revokeTiers(state: TieredState, origin: TierOrigin): void {
  for (const policy of state.tierPolicies) {
    const ladder = findLadder(state.tiers, policy._id);
    if (!ladder) continue;
    const values: ValueAt = (date) => valueAt(state, policy, date);
    const input = ladderInput(state, policy);
    const next = followsPeriods(policy)
      ? revokePeriods(ladder, values, input)
      : lapsedSince(ladder, revokeLevels(ladder, values, input), values, input);
    state.tiers = withLadder(state.tiers, next, { policy, why: 'cancelled', ...origin });
  }
  reachTiers(state, origin);
}

/**
 * What is left of a level below one that was revoked: its own terms went on meanwhile, and each of their ends is judged by
 * its own time.
 */
function lapsedSince(before: Ladder, revoked: Ladder, values: ValueAt, input: LadderInput): Ladder {
  const end = topStep(revoked)?.expiresOn;
  const isLower = (topStep(revoked)?.level.number ?? 0) < (topStep(before)?.level.number ?? 0);
  if (!isLower || !end || end > input.now) return revoked;
  return lapseInTime({ ...revoked, due: end }, values, input).at(-1) ?? revoked;
}

/** Ends the levels that were due before now, one after the other. */
function lapseUntilNow(state: TieredState, policy: TierPolicy, before: Ladder): void {
  const values: ValueAt = (date) => valueAt(state, policy, date);
  let ladder = before;
  for (const next of lapseInTime(before, values, ladderInput(state, policy))) {
    state.tiers = withLadder(state.tiers, next, { policy, why: lapseReason(ladder, next) });
    ladder = next;
  }
}

function lapseLadder(state: TieredState, policy: TierPolicy, ladder: Ladder, origin: TierOrigin): void {
  const next = lapseByPeriods(ladder, (date) => valueAt(state, policy, date), ladderInput(state, policy));
  state.tiers = withLadder(state.tiers, next, { policy, why: lapseReason(ladder, next), ...origin });
}

/** The input that moves on the ladder of a policy depend on. */
export function ladderInput(
  { doc, program, ledger, aggregates }: Pick<TieredState, 'doc' | 'program' | 'ledger' | 'aggregates'>,
  policy: TierPolicy,
): LadderInput {
  const { now } = ledger;
  return {
    policy,
    timezone: program.timezone,
    now,
    enrolledAt: doc.enrolledAt,
    lifetimeValue: (metric) => lifetimeValue(aggregates, metric, now),
  };
}

/** The value of the policy's metric in the period of a date. Without a metric it is below every threshold. */
function valueAt({ aggregates, keptSums, program, ledger }: TieredState, { basis }: TierPolicy, date: Date): number {
  if (!basis) return Number.NEGATIVE_INFINITY;
  if (basis.period === 'lifetime') return lifetimeValue(aggregates, basis.metric, ledger.now);
  const sum = runningTotal(keptSums, basis, localDay(date, program.timezone));
  assert(sum !== undefined, 'the running totals that tiers use are loaded');
  return sum;
}
