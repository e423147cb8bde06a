import type { Award, Line, OracleActivity, Transfer } from './activity';
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
  /** What is returned: a value, or units of lines. Without either all that is left is. */
  value?: number | undefined;
  lines?: readonly { line: Line; quantity: number }[] | undefined;
  standing: readonly OracleActivity[];
  counters: Counters;
}

/**
 * Cancels an activity, whole or in part. Awards of returned lines are decided again without them. All else is returned by
 * its share of the value, rounded down on the running total.
 */
export function cancel(activity: OracleActivity, { now, value, lines, standing, counters }: CancelInput): void {
  for (const member of membersOf(activity)) settle(member, now);
  const back = lines ? valueOfLines(lines) : (value ?? activity.value);
  const total = Math.min(activity.value, activity.returnedValue + back);
  const isWhole = total === activity.value;
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
    const due = lines && !isWhole ? decideAgain(award, activity.value - total) : dueOf(award);
    returnAward(activity, award, due);
    if (award.use && (award.use.isPoints || isWhole)) countUse(counters, award.use, -(award.use.isPoints ? due : 1));
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
  for (const member of membersOf(activity)) {
    for (const [name, purse] of member.purses) {
      expirePast(member, name, now);
      repay(purse, listenerOf(member, name), now);
    }
    for (const tier of member.tiers) revoke(tier, member, now);
  }
}

/** What so many units of lines are worth: the share of the line's amount, rounded down on its running total. */
function valueOfLines(lines: readonly { line: Line; quantity: number }[]): number {
  return lines.reduce((sum, { line, quantity }) => {
    const worth = (units: number) => Math.floor((line.itemAmount * units) / line.quantity);
    const before = line.returned;
    line.returned += quantity;
    return sum + worth(line.returned) - worth(before);
  }, 0);
}

/** What an award loses when it is decided again with the value that is left. Points are never added. */
function decideAgain(award: Award, valueLeft: number): number {
  const kept = Math.min(award.points - award.returned, award.earned(valueLeft));
  const due = award.points - award.returned - kept;
  award.returned += due;
  return due;
}

function returnAward(activity: OracleActivity, { member, purse, lot }: Award, due: number): void {
  reverseAward(purseOf(member, purse), lot, due, listenerOf(member, purse));
  countPoints(member, 'pointsEarned', purse, activity.date, -due);
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
    const lost = due - taken;
    const settled = Math.min(lost, burn.lot.charged + burn.lot.forgiven);
    restore(source, { lot: burn.lot, points: lost }, tell);
    reverse(burn.lot, 'available', lost - settled, tell);
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
    purse.inactiveAt = afterJoining(activity, member, purse, dates);
  }
}

/** The latest of these dates, and of the periods that points began which joined when there was no date, or a past one. */
function afterJoining(
  cancelled: OracleActivity,
  { zone }: OracleMember,
  purse: Purse,
  dates: readonly number[],
): number | undefined {
  const isOfIt = (lot: Lot) => cancelled.awards.some((award) => award.lot === lot);
  const staysWithMember = purse.policy.clawback === 'pendingOnly';
  const joined = purse.lots
    .filter((lot) => lot.byInactivity && lot.escrow === 0 && (staysWithMember || !isOfIt(lot)))
    .filter((lot) => lot.available + lot.burned - lot.charged - lot.forgiven > 0)
    .map((lot) => ({ lot, at: lot.joinedAt ?? Math.max(lot.earnedAt, lot.escrowsAt) }))
    .sort((a, b) => a.at - b.at);
  const all = [...dates, ...joined.flatMap(({ lot }) => lot.startedUntil ?? [])];
  let latest = all.length > 0 ? Math.max(...all) : undefined;
  for (const { lot, at } of joined) {
    if (latest !== undefined && latest > at) continue;
    latest = inactiveAfter(purse.policy, at, zone);
    lot.startedUntil = latest;
  }
  return latest;
}
