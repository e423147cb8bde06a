import { type Act, newActivity, type Outcome } from './activity';
import { award, cutToLimits, finish, type Given, parted } from './award';
import { available, type Lot, repay, sumOf, take } from './ledger';
import type { Use } from './limits';
import { count, countPoints, listenerOf, type OracleMember, purseOf, settle, startInactivity } from './member';
import { complete, type OracleReferral } from './referral';
import { inactiveAfter } from './terms';
import { climb, giveForTime, setLevel } from './tiers';

/** Moves the dates of inactivity of a member: never earlier. */
function moveInactivity({ member, date }: Act): void {
  for (const purse of member.purses.values()) {
    const until = inactiveAfter(purse.policy, date, member.zone);
    if (until !== undefined) purse.inactiveAt = Math.max(until, purse.inactiveAt ?? until);
  }
}

/** A purchase: it counts, and each rule gives points in a purse, as far as its limit allows. */
export function purchase(act: Act, given: readonly Given[], uses: Use[]): Outcome {
  const { member, date, value, now } = act;
  settle(member, now);
  const taker = { ids: [member.id, ...member.mergeIds], zone: member.zone, date };
  const cut = given.map((each) => ({ ...each, ...cutToLimits(each, value, uses, { ...taker, rule: each.rule }) }));
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
  for (const each of cut) {
    if (each.points <= 0) continue;
    for (const part of parted(each, member)) activity.awards.push(award(part, act));
    if (each.use) uses.push(each.use);
  }
  for (const holder of new Set([member, ...activity.awards.map((each) => each.member)])) finish(holder, now);
  return { activity };
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

/** What a rule gives for a referral, to the member and to who referred it. */
export interface Referring {
  purse: string;
  points: number;
  referrerPoints: number;
}

/** Completes the referral of a member, if it can; 2500 when the code that was sent is nobody's, or its own. */
export function refer(
  act: Act,
  { purse, points, referrerPoints }: Referring,
  { referrals, sent }: { referrals: OracleReferral[]; sent: OracleMember | 'nobody' | undefined },
): Outcome {
  const { member, now } = act;
  if (sent === 'nobody' || sent === member) return { error: 2500 };
  settle(member, now);
  const activity = newActivity({ ...act, type: 'Referral' });
  activity.referral = complete(referrals, member, sent);
  if (activity.referral) {
    const given = { purse, use: undefined, earned: () => points };
    activity.awards.push(award({ ...given, member, points }, act));
    activity.awards.push(award({ ...given, member: activity.referral.by, points: referrerPoints }, act));
  }
  for (const holder of new Set([member, ...activity.awards.map((each) => each.member)])) finish(holder, now);
  return { activity };
}

/** A rule sets a level, or gives it until a date. */
export function setByRule(act: Act, policy: string, level: number, until: number | undefined): Outcome {
  const { member, now } = act;
  settle(member, now);
  const tier = member.tiers.find((each) => each.policy.name === policy);
  if (!tier) throw new RangeError(`no tier ${policy}`);
  if (until === undefined) setLevel(tier, level, member, now);
  else giveForTime(tier, level, until, now);
  finish(member, now);
  return { activity: newActivity({ ...act, type: 'Adjustment' }) };
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
  for (const party of [member, to.member]) {
    for (const tier of party.tiers) climb(tier, party, now);
  }
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
