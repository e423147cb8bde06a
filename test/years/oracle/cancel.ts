import { type Award, type Line, membersOf, type OracleActivity, type Transfer } from './activity';
import { moveInactivityBack } from './inactivity';
import { type Burn, charge, repay, restore, reverse, takeThere, undoDebt } from './ledger';
import { count, countPoints, expirePast, listenerOf, type OracleMember, purseOf, settle } from './member';
import { type OracleReferral, withdraw } from './referral';
import { climb, revoke, settleTier } from './tiers';

/** What a cancel may know beside the activity: the time, and the activities that stand. */
export interface CancelInput {
  now: number;
  /** What is returned: a value, or units of lines. Without either all that is left is. */
  value?: number | undefined;
  lines?: readonly { line: Line; quantity: number }[] | undefined;
  standing: readonly OracleActivity[];
  referrals: OracleReferral[];
}

/**
 * Cancels an activity, whole or in part. Awards of returned lines are decided again without them. All else is returned by
 * its share of the value, rounded down on the running total.
 */
export function cancel(activity: OracleActivity, { now, value, lines, standing, referrals }: CancelInput): void {
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
    if (activity.referral) withdraw(referrals, activity.referral);
  }
  for (const spending of activity.spendings) {
    const due = dueOf(spending);
    returnSpending(activity.member, spending, due);
    countPoints(activity.member, 'pointsRedeemed', spending.purse, activity.date, -due);
  }
  const moved = activity.transfers.flatMap((each) => takeTransfer(each, dueOf(each)));
  const taken = activity.awards.map((award) => {
    const due = lines && !isWhole ? decideAgain(award, activity.value - total) : dueOf(award);
    return takeAward(activity, award, due);
  });
  returnUses(activity, isWhole);
  // All that is there is taken back before anybody is charged for what is not.
  for (const member of membersOf(activity)) settleReturned(member, now);
  for (const each of moved.reverse()) {
    settleReturned(each.transfer.to, now);
    chargeTransfer(each);
  }
  for (const member of membersOf(activity)) settleReturned(member, now);
  for (const each of taken) {
    settleReturned(each.award.member, now);
    chargeAward(each);
  }
  for (const each of activity.metrics) {
    count(activity.member, each.metric, activity.date, -dueOf(each));
  }
  for (const member of membersOf(activity)) {
    settleReturned(member, now);
    for (const tier of member.tiers) {
      revoke(tier, member, now);
      settleTier(tier, member, now);
      climb(tier, member, now);
    }
  }
}

/** What was restored and is past its date expires, and the rest repays debt. */
function settleReturned(member: OracleMember, now: number): void {
  for (const [name, purse] of member.purses) {
    expirePast(member, name, now);
    repay(purse, listenerOf(member, name), now);
  }
}

/** Uses of points were given back with them; a use of times is with the last return. Two parts of an award used it once. */
function returnUses({ awards }: OracleActivity, isWhole: boolean): void {
  for (const use of new Set(awards.map((award) => award.use))) {
    if (use && !use.isPoints && isWhole) use.amount -= 1;
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

/** Takes back what is there of an award. @returns the award with what is not */
function takeAward(activity: OracleActivity, award: Award, due: number): { award: Award; left: number } {
  const { member, purse, lot } = award;
  const isPending = purseOf(member, purse).policy.clawback === 'pendingOnly';
  const left = takeThere(lot, due, listenerOf(member, purse), isPending ? ['escrow'] : ['escrow', 'available']);
  countPoints(member, 'pointsEarned', purse, activity.date, -due);
  if (award.use?.isPoints) award.use.amount -= due;
  return { award, left };
}

function chargeAward({ award: { member, purse, lot }, left }: { award: Award; left: number }): void {
  const tell = listenerOf(member, purse);
  const { policy } = purseOf(member, purse);
  const missing = policy.clawback === 'pendingOnly' ? left : takeThere(lot, left, tell, ['available']);
  charge(purseOf(member, purse), lot, missing, tell);
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

/** Points of one lot of a transfer that are to be returned and were not there. */
interface Missing {
  transfer: Transfer;
  move: Transfer['moves'][number];
  left: number;
}

/** Returns what the receiver still has of a transfer. */
function takeTransfer(transfer: Transfer, points: number): Missing[] {
  const { from, fromPurse, to, toPurse, moves } = transfer;
  let open = points;
  return moves.flatMap((move) => {
    const due = Math.min(open, move.burn.points);
    if (due === 0) return [];
    open -= due;
    move.burn.points -= due;
    const left = takeThere(move.lot, due, listenerOf(to, toPurse), ['escrow', 'available']);
    const back = { lot: move.burn.lot, points: due - left };
    restore(purseOf(from, fromPurse), back, listenerOf(from, fromPurse));
    return [{ transfer, move, left }];
  });
}

/** What the receiver is charged for goes back. The rest is lost at the source too: nobody is charged for it again. */
function chargeTransfer({ transfer: { from, fromPurse, to, toPurse }, move: { burn, lot }, left }: Missing): void {
  const source = purseOf(from, fromPurse);
  const tell = listenerOf(from, fromPurse);
  const missing = takeThere(lot, left, listenerOf(to, toPurse), ['available']);
  const charged = charge(purseOf(to, toPurse), lot, missing, listenerOf(to, toPurse));
  restore(source, { lot: burn.lot, points: left - missing + charged }, tell);
  const lost = missing - charged;
  const settled = Math.min(lost, burn.lot.charged + burn.lot.forgiven);
  restore(source, { lot: burn.lot, points: lost }, tell);
  reverse(burn.lot, 'available', lost - settled, tell);
}
