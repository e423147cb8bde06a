import { periodOf } from './calendar';
import { available, emptyPurse, expire, type JournalSums, type Listener, type Lot, type Purse, repay } from './ledger';
import { escrowEnd, expiryOf, inactiveAfter, type PursePolicy } from './terms';
import { newTiers, settleTier, type Tier, type TierPolicy } from './tiers';

/** What the oracle knows of a member. */
export interface OracleMember {
  id: string;
  loyaltyID: string;
  zone: string;
  purses: Map<string, Purse>;
  /** Sums of the journal by purse, then by kind. */
  journal: Map<string, JournalSums>;
  /** Sums of metrics by name, then by local day. */
  metrics: Map<string, Map<string, number>>;
  tiers: Tier[];
  /** The members that were merged into it. */
  mergeIds: string[];
  /** The member that referred it. */
  referredBy: OracleMember | undefined;
  /** The head of its family. */
  head: OracleMember | undefined;
}

/** What a program offers. */
export interface Policies {
  purses: readonly PursePolicy[];
  tiers: readonly TierPolicy[];
}

export function newMember(
  { id, loyaltyID, zone }: Pick<OracleMember, 'id' | 'loyaltyID' | 'zone'>,
  { purses, tiers }: Policies,
  now: number,
): OracleMember {
  const member: OracleMember = {
    id,
    loyaltyID,
    zone,
    purses: new Map(purses.map((policy) => [policy.name, emptyPurse(policy)])),
    journal: new Map(purses.map(({ name }) => [name, new Map()])),
    metrics: new Map(),
    tiers: [],
    mergeIds: [],
    referredBy: undefined,
    head: undefined,
  };
  member.tiers = newTiers(tiers, member, now);
  return member;
}

export function purseOf(member: OracleMember, name: string): Purse {
  const purse = member.purses.get(name);
  if (!purse) throw new RangeError(`no purse ${name}`);
  return purse;
}

/** Counts for a metric on a local day, or on that of a moment. */
export function count(member: OracleMember, metric: string, at: number | string, value: number): void {
  if (value === 0) return;
  const day = typeof at === 'string' ? at : periodOf('day', at, member.zone);
  const days = member.metrics.get(metric) ?? new Map<string, number>();
  member.metrics.set(metric, days);
  days.set(day, (days.get(day) ?? 0) + value);
}

/** Counts points for a metric of all purses and for that of one. */
export function countPoints(
  member: OracleMember,
  metric: 'pointsEarned' | 'pointsRedeemed' | 'pointsExpired',
  purse: string,
  at: number,
  points: number,
): void {
  count(member, metric, at, points);
  count(member, `${metric}:${purse}`, at, points);
}

/** Points that join a purse by its terms: a lot, in escrow or available. */
export function newLot(
  member: OracleMember,
  { policy }: Purse,
  { points, earnedAt, activity }: { points: number; earnedAt: number; activity?: string },
): Lot {
  const escrowsAt = escrowEnd(policy, earnedAt, member.zone);
  const isHeld = policy.escrow.type !== 'none';
  return {
    activity,
    accrued: points,
    escrow: isHeld ? points : 0,
    available: isHeld ? 0 : points,
    burned: 0,
    expired: 0,
    reversed: 0,
    earnedAt,
    escrowsAt,
    joinedAt: undefined,
    expiresAt: expiryOf(policy, escrowsAt, member.zone),
    byInactivity: policy.expiry.type === 'inactivity',
    charged: 0,
    forgiven: 0,
    removed: 0,
    returnedGone: 0,
    repaid: 0,
  };
}

/** Adds a new lot to its purse, and releases it at once when its escrow is past. */
export function join(member: OracleMember, name: string, lot: Lot, { kind, now }: { kind: string; now: number }): void {
  purseOf(member, name).lots.push(lot);
  const tell = listenerOf(member, name);
  tell.entry(kind, { escrow: lot.escrow, available: lot.available });
  if (lot.escrow === 0 || lot.escrowsAt > now) return;
  tell.entry('release', { escrow: -lot.escrow, available: lot.escrow });
  lot.available = lot.escrow;
  lot.escrow = 0;
}

/** Notes what a purse tells in the journal and the metrics of its member. */
export function listenerOf(member: OracleMember, name: string): Listener {
  return {
    entry(kind, change) {
      const sums = member.journal.get(name);
      const sum = sums?.get(kind) ?? { available: 0, escrow: 0, debt: 0 };
      sum.available += change.available ?? 0;
      sum.escrow += change.escrow ?? 0;
      sum.debt += change.debt ?? 0;
      sums?.set(kind, sum);
    },
    expired: (points, at) => countPoints(member, 'pointsExpired', name, at, points),
  };
}

/** The next moment up to now at which something of a purse is due; undefined when nothing is. */
function nextDue({ lots, inactiveAt }: Purse, now: number): number | undefined {
  const dates = lots.flatMap((lot) => [
    ...(lot.escrow > 0 ? [lot.escrowsAt] : []),
    ...(lot.available > 0 && lot.expiresAt !== undefined ? [lot.expiresAt] : []),
    ...(lot.available > 0 && lot.byInactivity && inactiveAt !== undefined ? [inactiveAt] : []),
  ]);
  const due = dates.filter((date) => date <= now);
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** All moments after now at which something of a member will be due. */
export function dueMoments({ purses, tiers }: OracleMember, now: number): number[] {
  const ofTiers = tiers.flatMap(({ steps, graceUntil, forTime }) => [
    graceUntil ?? steps.at(-1)?.expiresAt ?? now,
    ...forTime.map(({ expiresAt = now }) => expiresAt),
  ]);
  const ofPurses = [...purses.values()].flatMap(({ lots, inactiveAt }) => [
    ...lots.flatMap((lot) => [
      ...(lot.escrow > 0 ? [lot.escrowsAt] : []),
      ...(lot.available > 0 && lot.expiresAt !== undefined ? [lot.expiresAt] : []),
    ]),
    ...(inactiveAt === undefined ? [] : [inactiveAt]),
  ]);
  return [...ofTiers, ...ofPurses].filter((date) => date > now);
}

/** Releases, expires and judges what is due up to now, in the order of the dates. At one date points expire first. */
export function settle(member: OracleMember, now: number): void {
  for (const [name, purse] of member.purses) {
    const tell = listenerOf(member, name);
    for (let at = nextDue(purse, now); at !== undefined; at = nextDue(purse, now)) settleAt(member, purse, at, tell);
  }
  for (const tier of member.tiers) settleTier(tier, member, now);
}

function settleAt(member: OracleMember, purse: Purse, at: number, tell: Listener): void {
  for (const lot of purse.lots) {
    const end = lot.byInactivity ? purse.inactiveAt : lot.expiresAt;
    if (end !== undefined && end <= at) expire(lot, end, tell);
  }
  for (const lot of purse.lots) {
    if (lot.escrow > 0 && lot.escrowsAt <= at) release(member, purse, lot, at, tell);
  }
  repay(purse, tell, at);
}

function release(member: OracleMember, purse: Purse, lot: Lot, at: number, tell: Listener): void {
  tell.entry('release', { escrow: -lot.escrow, available: lot.escrow });
  lot.available += lot.escrow;
  lot.escrow = 0;
  startInactivity(member, purse, lot, at);
}

/** Points that join otherwise than by an Accrual begin the period of a purse that has none, or whose date is past. */
export function startInactivity(member: OracleMember, purse: Purse, lot: Lot, at: number, now = at): void {
  lot.joinedAt = at;
  if (!lot.byInactivity || (purse.inactiveAt !== undefined && purse.inactiveAt > Math.min(at, now))) return;
  const until = inactiveAfter(purse.policy, at, member.zone);
  purse.inactiveAt = until;
  lot.startedUntil = until;
}

/** Expires what is past its date now, with what a change brought back. */
export function expirePast(member: OracleMember, name: string, now: number): void {
  const purse = purseOf(member, name);
  for (const lot of purse.lots) {
    const end = lot.byInactivity ? purse.inactiveAt : lot.expiresAt;
    if (end !== undefined && end <= now) expire(lot, end, listenerOf(member, name));
  }
}

/** A purse as the API shows its sums. */
export function sumsOf(purse: Purse) {
  const total = (part: 'accrued' | 'escrow' | 'burned' | 'expired') =>
    purse.lots.reduce((sum, lot) => sum + lot[part], 0);
  return {
    balance: available(purse) + total('escrow') - purse.debt,
    availBalance: available(purse) - purse.debt,
    escrowsIn: total('escrow'),
    accruedPoints: total('accrued'),
    burnedPoints: total('burned'),
    expiredPoints: total('expired'),
    debt: purse.debt,
    overdraftLimit: purse.policy.overdraftLimit,
  };
}
