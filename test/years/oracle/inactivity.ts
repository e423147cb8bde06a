import { membersOf, type OracleActivity } from './activity';
import type { Lot, Purse } from './ledger';
import type { OracleMember } from './member';
import { inactiveAfter } from './terms';

function keepsActive({ type }: OracleActivity): boolean {
  return type === 'Accrual' || type === 'Redemption';
}

/** A date of inactivity that the activity gave, or its points, becomes what it would be without it. */
export function moveInactivityBack(activity: OracleActivity, standing: readonly OracleActivity[]): void {
  const lots = lotsOf(activity);
  for (const member of membersOf(activity)) {
    for (const purse of member.purses.values()) {
      const isOwn = member === activity.member && keepsActive(activity);
      const given = isOwn ? inactiveAfter(purse.policy, activity.date, member.zone) : undefined;
      const isGiven = given !== undefined && purse.inactiveAt !== undefined && purse.inactiveAt <= given;
      if (!isGiven && !purse.lots.some((lot) => lots.has(lot) && lot.startedUntil !== undefined)) continue;
      const own = standing.filter((each) => each.member === member && !each.isCancelled && keepsActive(each));
      const dates = own.flatMap(({ date }) => inactiveAfter(purse.policy, date, member.zone) ?? []);
      purse.inactiveAt = afterJoining(activity, member, purse, dates);
    }
  }
}

function lotsOf({ awards, transfers }: OracleActivity): Set<Lot> {
  return new Set([...awards.map(({ lot }) => lot), ...transfers.flatMap(({ moves }) => moves.map(({ lot }) => lot))]);
}

/** Points of a cancelled activity that stay with the member: released ones under `pendingOnly`, of a transfer spent ones. */
function staysOf(lot: Lot, { clawback }: Purse['policy'], { awards }: OracleActivity): boolean {
  if (clawback !== 'pendingOnly') return false;
  return awards.some((award) => award.lot === lot) || lot.burned - lot.charged - lot.forgiven > 0;
}

/** The latest of these dates, and of the periods that points began which joined when there was no date, or a past one. */
function afterJoining(
  cancelled: OracleActivity,
  { zone }: OracleMember,
  purse: Purse,
  dates: readonly number[],
): number | undefined {
  const lots = lotsOf(cancelled);
  const joined = purse.lots
    .filter((lot) => lot.byInactivity && lot.escrow === 0)
    .filter((lot) => !lots.has(lot) || staysOf(lot, purse.policy, cancelled))
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
