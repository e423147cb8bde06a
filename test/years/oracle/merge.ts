import type { OracleActivity } from './activity';
import { available, type Lot, repay } from './ledger';
import { count, listenerOf, type OracleMember, purseOf, settle } from './member';
import { mergeReferrals, type OracleReferral } from './referral';
import { climb, isBetter, type Tier } from './tiers';

/** What else of a program a merge changes. */
interface Around {
  now: number;
  activities: readonly OracleActivity[];
  others: readonly OracleMember[];
  referrals: OracleReferral[];
}

/** Merges a member into another one, the survivor, which then owes and has what both had. */
export function merge(
  survivor: OracleMember,
  merged: OracleMember,
  { now, activities, others, referrals }: Around,
): void {
  settle(survivor, now);
  settle(merged, now);
  survivor.mergeIds.push(merged.id, ...merged.mergeIds);
  for (const name of survivor.purses.keys()) mergePurse(survivor, merged, name, now);
  for (const [metric, days] of merged.metrics) {
    for (const [day, value] of days) count(survivor, metric, day, value);
  }
  survivor.tiers = survivor.tiers.map((tier, n) => better(tier, merged.tiers[n]));
  for (const tier of survivor.tiers) climb(tier, survivor, now);
  mergeReferrals(referrals, survivor, merged);
  const heads = [survivor.head, merged.head].filter((head) => head !== survivor && head !== merged);
  survivor.head = heads.find((head) => head !== undefined);
  for (const other of others) if (other !== survivor && other.head === merged) other.head = survivor;
  for (const activity of activities) {
    if (activity.member === merged) activity.member = survivor;
    for (const award of activity.awards) if (award.member === merged) award.member = survivor;
    for (const moved of activity.transfers) {
      if (moved.from === merged) moved.from = survivor;
      if (moved.to === merged) moved.to = survivor;
    }
  }
}

function mergePurse(survivor: OracleMember, merged: OracleMember, name: string, now: number): void {
  const purse = purseOf(survivor, name);
  const other = purseOf(merged, name);
  addJournal(survivor, merged, name);
  const tell = listenerOf(survivor, name);
  const held = other.lots.reduce((sum: number, { escrow }: Lot) => sum + escrow, 0);
  tell.entry('transferIn', { available: available(other), escrow: held, debt: other.debt });
  purse.lots.push(...other.lots);
  purse.debt += other.debt;
  purse.inactiveAt = latest(purse.inactiveAt, other.inactiveAt);
  purse.repayments = [...purse.repayments, ...other.repayments].sort((a, b) => a.at - b.at);
  repay(purse, tell, now);
}

/** The journal of the survivor is read together with those of who was merged into it. */
function addJournal(survivor: OracleMember, merged: OracleMember, name: string): void {
  const sums = survivor.journal.get(name);
  for (const [kind, { available: free, escrow, debt }] of merged.journal.get(name) ?? []) {
    const sum = sums?.get(kind) ?? { available: 0, escrow: 0, debt: 0 };
    sums?.set(kind, { available: sum.available + free, escrow: sum.escrow + escrow, debt: sum.debt + debt });
  }
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}

/** The better of two tiers under one policy, and all levels for a time. */
function better(one: Tier, other: Tier | undefined): Tier {
  if (!other) return one;
  const forTime = [...one.forTime, ...other.forTime];
  const otherTop = other.steps.at(-1);
  if (!otherTop || !isBetter(otherTop, one.steps.at(-1))) return { ...one, forTime };
  for (const step of other.steps) step.isFirm = true;
  return { ...other, forTime };
}
