import type { OracleActivity, Transfer } from './activity';
import {
  type Burn,
  type Lot,
  type Purse,
  repay,
  restore,
  reverse,
  reverseAward,
  takeFromLot,
  undoDebt,
} from './ledger';
import { type Counters, countUse } from './limits';
import { count, countPoints, expirePast, listenerOf, type OracleMember, purseOf, settle } from './member';
import { inactiveAfter } from './terms';
import { revoke } from './tiers';

/** What a cancel may know beside the activity: the time, and the activities that stand. */
export interface CancelInput {
  now: number;
  /** What is returned; undefined returns all that is left. */
  value?: number | undefined;
  standing: readonly OracleActivity[];
  counters: Counters;
}

/**
 * Cancels an activity, whole or by a value. Everything is returned by its share of the value, rounded down on the running
 * total.
 */
export function cancel(activity: OracleActivity, { now, value, standing, counters }: CancelInput): void {
  for (const member of membersOf(activity)) settle(member, now);
  const total = value === undefined ? activity.value : activity.returnedValue + value;
  const isWhole = value === undefined || total === activity.value;
  activity.returnedValue = total;
  /** What goes back now of a part. */
  const dueOf = (part: { points: number; returned: number }): number => {
    const until = isWhole ? part.points : Number((BigInt(part.points) * BigInt(total)) / BigInt(activity.value));
    const due = until - part.returned;
    part.returned = until;
    return due;
  };
  if (isWhole) {
    activity.isCancelled = true;
    moveInactivityBack(activity, standing);
  }
  for (const award of activity.awards) {
    const due = dueOf(award);
    const purse = purseOf(award.member, award.purse);
    reverseAward(purse, award.lot, due, listenerOf(award.member, award.purse));
    countPoints(award.member, 'pointsEarned', award.purse, activity.date, -due);
  }
  for (const spending of activity.spendings) {
    const due = dueOf(spending);
    returnSpending(activity.member, spending, due);
    countPoints(activity.member, 'pointsRedeemed', spending.purse, activity.date, -due);
  }
  for (const moved of activity.transfers) returnTransfer(moved, dueOf(moved));
  for (const each of activity.metrics) {
    count(activity.member, each.metric, activity.date, -dueOf(each));
  }
  for (const use of activity.uses) {
    if (use.isPoints || isWhole) countUse(counters, use, -dueOf(use));
  }
  for (const member of membersOf(activity)) {
    for (const [name, purse] of member.purses) {
      expirePast(member, name, now);
      repay(purse, listenerOf(member, name), now);
    }
    for (const tier of member.tiers) revoke(tier, member, now);
  }
}

function membersOf({ member, awards, transfers }: OracleActivity): Set<OracleMember> {
  return new Set([member, ...awards.map((award) => award.member), ...transfers.map(({ to }) => to)]);
}

/** Debt of the activity is lowered first; then the lots get back what it burned. */
function returnSpending(member: OracleMember, spending: OracleActivity['spendings'][number], points: number): void {
  const purse = purseOf(member, spending.purse);
  const tell = listenerOf(member, spending.purse);
  const debt = Math.min(points, spending.debt);
  spending.debt -= debt;
  undoDebt(purse, debt, tell);
  for (const burn of takeBack(spending.burns, points - debt)) restore(purse, burn, tell);
}

/** Takes so many points from burns that stand, the first burned lot first. */
function takeBack(burns: Burn[], points: number): Burn[] {
  let left = points;
  return burns.flatMap((burn) => {
    const back = Math.min(left, burn.points);
    left -= back;
    burn.points -= back;
    return back > 0 ? [{ lot: burn.lot, points: back }] : [];
  });
}

function returnTransfer({ from, fromPurse, to, toPurse, moves }: Transfer, points: number): void {
  const source = purseOf(from, fromPurse);
  const target = purseOf(to, toPurse);
  let left = points;
  for (const { burn, lot } of moves) {
    const due = Math.min(left, burn.points);
    if (due === 0) continue;
    left -= due;
    burn.points -= due;
    const taken = takeFromLot(target, lot, due, listenerOf(to, toPurse));
    const tell = listenerOf(from, fromPurse);
    restore(source, { lot: burn.lot, points: taken }, tell);
    restore(source, { lot: burn.lot, points: due - taken }, tell);
    reverse(burn.lot, 'available', due - taken, tell);
  }
}

/** The date of inactivity becomes what it would be without the activity, when it was the activity's. */
function moveInactivityBack(activity: OracleActivity, standing: readonly OracleActivity[]): void {
  const { member } = activity;
  for (const purse of member.purses.values()) {
    const given = inactiveAfter(purse.policy, activity.date, member.zone);
    if (given === undefined || purse.inactiveAt === undefined || purse.inactiveAt > given) continue;
    const own = standing.filter((each) => each.member === member && !each.isCancelled);
    const dates = own.map(({ date }) => inactiveAfter(purse.policy, date, member.zone) ?? 0);
    const joined = purse.lots.flatMap((lot) => periodOfJoined(activity, purse, lot, member.zone) ?? []);
    const all = [...dates, ...joined];
    purse.inactiveAt = all.length > 0 ? Math.max(...all) : undefined;
  }
}

/** Until when points that joined otherwise than by an activity that stands keep a purse alive. */
function periodOfJoined(cancelled: OracleActivity, purse: Purse, lot: Lot, zone: string): number | undefined {
  if (!lot.byInactivity) return undefined;
  const isOfIt = cancelled.awards.some((award) => award.lot === lot);
  if (isOfIt && purse.policy.clawback !== 'pendingOnly') return undefined;
  const joinedAt = isOfIt ? lot.escrowsAt : lot.joinedAt;
  if (lot.startedUntil !== undefined || joinedAt === undefined || lot.available === 0) return lot.startedUntil;
  return inactiveAfter(purse.policy, joinedAt, zone);
}
