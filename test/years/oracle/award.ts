import type { Act, Award } from './activity';
import { repay } from './ledger';
import { type Allowed, allowed, type Limit, type Taker, type Use, withinBudget } from './limits';
import {
  countPoints,
  expirePast,
  join,
  listenerOf,
  newLot,
  type OracleMember,
  purseOf,
  settle,
  startInactivity,
} from './member';
import { climb } from './tiers';

/** What a rule gives for a purchase. */
export interface Given {
  rule: string;
  purse: string;
  /** What it gives for a value, without its limit. */
  earned(value: number): number;
  limit?: Limit | undefined;
  budget?: number | undefined;
  /** The share of it in percent that goes to the head of the member's family. */
  share?: number | undefined;
}

/** What an act leaves behind in a member: what is past its date expires, debt is repaid, and levels are reached. */
export function finish(member: OracleMember, now: number): void {
  for (const [name, purse] of member.purses) {
    expirePast(member, name, now);
    repay(purse, listenerOf(member, name), now);
  }
  for (const tier of member.tiers) climb(tier, member, now);
}

export type Part = Omit<Award, 'lot' | 'returned'>;

/** An award of a rule, of which the head of the family gets its share, rounded down, and the member the rest. */
export function parted({ purse, points, use, earned, share = 0 }: Given & Allowed, member: OracleMember): Part[] {
  const { head } = member;
  // A limit has as much left for what is decided again as it gave.
  const ofHead = (value: number) => (head ? Math.floor((Math.min(points, earned(value)) * share) / 100) : 0);
  const rest = (value: number) => Math.min(points, earned(value)) - ofHead(value);
  const shared = head ? Math.floor((points * share) / 100) : 0;
  const own: Part = { member, purse, points: points - shared, earned: rest, use };
  return head && shared > 0 ? [own, { member: head, purse, points: shared, earned: ofHead, use }] : [own];
}

export function cutToLimits(
  { earned, limit, budget }: Given,
  value: number,
  uses: readonly Use[],
  taker: Taker,
): Allowed {
  const points = earned(value);
  if (limit) return allowed(uses, limit, points, taker);
  return budget === undefined ? { points } : withinBudget(uses, budget, points, taker);
}

/** Makes the lot of an award. Points that the member was not active for may begin the period of a purse. */
export function award(part: Part, { member, date, now, id }: Act): Award {
  const { member: holder, purse: name, points } = part;
  if (holder !== member) settle(holder, now);
  const purse = purseOf(holder, name);
  const lot = newLot(holder, purse, { points, earnedAt: date, activity: id });
  join(holder, name, lot, { kind: 'accrue', now });
  if (lot.available > 0) startInactivity(holder, purse, lot, lot.escrowsAt, now);
  countPoints(holder, 'pointsEarned', name, date, points);
  return { ...part, lot, returned: 0 };
}
