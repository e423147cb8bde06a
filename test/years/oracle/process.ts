import { newActivity, type OracleActivity } from './activity';
import { available, type Lot, repay, sumOf, take } from './ledger';
import { allowed, type Counters, countUse, type Limit } from './limits';
import {
  count,
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
import { inactiveAfter } from './terms';
import { climb } from './tiers';

/** How an act ends. */
export interface Outcome {
  activity?: OracleActivity;
  /** The code of the error with which it ends. */
  error?: number;
}

/** What every act of the oracle takes. */
export interface Act {
  id: string;
  member: OracleMember;
  date: number;
  value: number;
  now: number;
}

/** Moves the dates of inactivity of a member: never earlier. */
function moveInactivity({ member, date }: Act): void {
  for (const purse of member.purses.values()) {
    const until = inactiveAfter(purse.policy, date, member.zone);
    if (until !== undefined) purse.inactiveAt = Math.max(until, purse.inactiveAt ?? until);
  }
}

/** What a rule gives for a purchase. */
export interface Given {
  rule: string;
  purse: string;
  /** What it gives for a value, without its limit. */
  earned(value: number): number;
  limit?: Limit | undefined;
}

/** A purchase: it counts, and each rule gives points in a purse, as far as its limit allows. */
export function purchase(act: Act, given: readonly Given[], counters: Counters): Outcome {
  const { member, date, value, now } = act;
  settle(member, now);
  const taker = { ids: [member.id, ...member.mergeIds], zone: member.zone, date };
  const cut = given.map(({ limit, ...each }) => ({
    ...each,
    points: each.earned(value),
    ...(limit ? allowed(counters, limit, each.earned(value), { ...taker, rule: each.rule }) : {}),
  }));
  const rejected = cut.find(({ error }) => error !== undefined);
  if (rejected?.error) return { error: rejected.error };
  const activity = newActivity({ ...act, type: 'Accrual' });
  moveInactivity(act);
  for (const [metric, counted] of [
    ['spend', value],
    ['visits', 1],
  ] as const) {
    count(member, metric, date, counted);
    activity.metrics.push({ metric, points: counted, returned: 0 });
  }
  for (const { purse, points, use, earned } of cut) {
    if (points <= 0) continue;
    const lot = award(member, purse, points, { earnedAt: date, now, activity: act.id });
    activity.awards.push({ member, purse, lot, points, returned: 0, earned, use });
    countPoints(member, 'pointsEarned', purse, date, points);
    if (use) countUse(counters, use, use.points);
  }
  for (const [name, purse] of member.purses) {
    expirePast(member, name, now);
    repay(purse, listenerOf(member, name), now);
  }
  for (const tier of member.tiers) climb(tier, member, now);
  return { activity };
}

function award(
  member: OracleMember,
  name: string,
  points: number,
  { earnedAt, now, activity }: { earnedAt: number; now: number; activity: string },
): Lot {
  const purse = purseOf(member, name);
  const lot = newLot(member, purse, { points, earnedAt, activity });
  join(member, name, lot, { kind: 'accrue', now });
  return lot;
}

/** A redemption of points of one purse; 2100 when there are too few. */
export function redemption(act: Act, name: string, points: number): Outcome {
  const { member, date, now } = act;
  settle(member, now);
  const purse = purseOf(member, name);
  if (points > available(purse) - purse.debt + purse.policy.overdraftLimit) return { error: 2100 };
  const activity = newActivity({ ...act, type: 'Redemption' });
  moveInactivity(act);
  if (points === 0) return { activity };
  const burns = take(purse, points);
  const debt = points - sumOf(burns);
  purse.debt += debt;
  listenerOf(member, name).entry('burn', { available: -sumOf(burns), debt });
  activity.spendings.push({ purse: name, burns, debt, points, returned: 0 });
  countPoints(member, 'pointsRedeemed', name, date, points);
  for (const tier of member.tiers) climb(tier, member, now);
  return { activity };
}

/** Moves points between two purses, of one member or of two; 2100 when there are too few. */
export function transfer(act: Act, from: string, to: { member: OracleMember; purse: string }): Outcome {
  const { member, value: points, now } = act;
  settle(member, now);
  settle(to.member, now);
  const source = purseOf(member, from);
  if (points > available(source) - source.debt) return { error: 2100 };
  const activity = newActivity({ ...act, type: 'Redemption' });
  moveInactivity(act);
  const target = purseOf(to.member, to.purse);
  const burns = take(source, points);
  listenerOf(member, from).entry('transferOut', { available: -points });
  listenerOf(to.member, to.purse).entry('transferIn', { available: points });
  const moves = burns.map((burn) => ({ burn, lot: arrived(burn, source.inactiveAt) }));
  for (const { lot } of moves) {
    lot.activity = act.id;
    lot.byInactivity = target.policy.expiry.type === 'inactivity';
    if (lot.byInactivity) lot.expiresAt = undefined;
    target.lots.push(lot);
    startInactivity(to.member, target, lot, now);
  }
  repay(target, listenerOf(to.member, to.purse), now);
  const parties = { from: member, fromPurse: from, to: to.member, toPurse: to.purse };
  activity.transfers.push({ ...parties, moves, points, returned: 0 });
  return { activity };
}

/** A lot with the dates of the one that points left. What lived by inactivity keeps the date that it had, as its own. */
function arrived({ lot, points }: { lot: Lot; points: number }, inactiveAt: number | undefined): Lot {
  return {
    ...lot,
    id: undefined,
    accrued: points,
    escrow: 0,
    available: points,
    burned: 0,
    expired: 0,
    reversed: 0,
    expiresAt: lot.byInactivity ? inactiveAt : lot.expiresAt,
    charged: 0,
    forgiven: 0,
    removed: 0,
    returnedGone: 0,
    repaid: 0,
    startedUntil: undefined,
    joinedAt: undefined,
  };
}
