import type { ObjectId } from 'bson';
import { derivedId } from '#base/db/records';
import { type ExpiryTerms, expiresByInactivity } from '#records/points/expiry/expiryTerms';
import type { Purse, ShownPurse } from '#records/points/purse';
import type { InactivityTerms } from '#records/points/terms';
import type { PartChange } from '../lots/lotParts';
import type { LotQueues } from '../lots/lotQueues';
import { sum } from '../pointsOverflow';
import type { LedgerPolicy } from './ledgerPolicy';

/**
 * The purses of a member: the stored ones, and a new purse at zero for every other policy of its program. Name, primary
 * and overdraft limit are the present ones of the policy.
 * @param zeroedAt the `updatedAt` of a new purse
 */
export function ledgerPurses<P extends PursePolicyFields>(
  member: { _id: ObjectId; purses: readonly Purse[] },
  policies: readonly P[],
  zeroedAt: (policy: P) => Date,
): Purse[] {
  const purses = [...member.purses];
  for (const policy of policies) {
    const { name, primary, overdraftLimit } = policy;
    // A member has few purses, so a linear search is faster than an index by id.
    const place = purses.findIndex(({ policyId }) => policyId.equals(policy._id));
    const purse = purses[place] ?? zeroPurse(member._id, policy, zeroedAt(policy));
    purses[place < 0 ? purses.length : place] = { ...purse, name, primary, overdraftLimit };
  }
  return purses;
}

/** The fields that a purse copies from its policy. */
interface PursePolicyFields {
  _id: ObjectId;
  name: string;
  program: ObjectId;
  primary: boolean;
  overdraftLimit: number;
}

/** A member's purse under a policy before anything happened to it. */
export function zeroPurse(memberId: ObjectId, policy: PursePolicyFields, now: Date): Purse {
  return {
    _id: derivedId('purse', memberId, policy._id),
    name: policy.name,
    program: policy.program,
    policyId: policy._id,
    primary: policy.primary,
    balance: 0,
    availBalance: 0,
    escrowsIn: 0,
    expiredPoints: 0,
    expiresIn: 0,
    overdraftLimit: policy.overdraftLimit,
    debt: 0,
    accruedPoints: 0,
    burnedPoints: 0,
    updatedAt: now,
  };
}

/**
 * A purse in the form of a response, with the accrual items that an activity changed. The copy comes last (decision
 * 16).
 */
export function shownPurse<A>(purse: Purse, accruals: A[] = []): ShownPurse<A> {
  return { nextEscrow: null, nextExpiry: null, accruals, ...purse };
}

/** A purse with the present inactivity terms of its policy; if the policy has none, the purse's own terms stay. */
export function withInactivity(purse: Purse, policies: readonly LedgerPolicy[]): Purse {
  const inactivity = inactivityTerms(policies.find(({ _id }) => _id.equals(purse.policyId))?.expiry);
  return inactivity ? { ...purse, inactivity } : purse;
}

/** The inactivity terms in expiry terms; undefined when points do not expire by inactivity. */
export function inactivityTerms(terms: ExpiryTerms | undefined): InactivityTerms | undefined {
  if (!terms?.value || !terms.unit || !expiresByInactivity(terms)) return undefined;
  const { value, unit, snap } = terms;
  return { value, unit, ...(snap ? { snap } : {}) };
}

/**
 * A purse after a change of a lot's parts and of its debt.
 * @throws PointsOverflow when a sum would not be exact
 */
export function withChange(purse: Purse, parts: PartChange, debt: number, now: Date): Purse {
  const { accruedPoints = 0, availablePoints = 0, escrowedPoints = 0, burnedPoints = 0, expiredPoints = 0 } = parts;
  return {
    ...purse,
    availBalance: sum(purse.availBalance, availablePoints - debt),
    balance: sum(purse.balance, availablePoints + escrowedPoints - debt),
    escrowsIn: sum(purse.escrowsIn, escrowedPoints),
    debt: sum(purse.debt, debt),
    accruedPoints: sum(purse.accruedPoints, accruedPoints),
    burnedPoints: sum(purse.burnedPoints, burnedPoints),
    expiredPoints: sum(purse.expiredPoints, expiredPoints),
    updatedAt: now,
  };
}

/** A purse without the dates of its next release and expiry. */
export function withoutDues({ nextEscrow: _escrow, nextExpiry: _expiry, ...purse }: Purse): Purse {
  return purse;
}

/** When points of a purse are released and expire next. */
export type Dues = Pick<Purse, 'nextEscrow' | 'nextExpiry' | 'expiresIn'>;

type Due = Purse['nextExpiry'];

/**
 * When points of a purse are released and expire next, and how many: all points with the earliest date.
 * @param inactiveOn when points of the purse expire by inactivity
 * @param others the dates of lots that are not in the queues
 */
export function nextDues(queues: LotQueues, inactiveOn: Date | undefined, others: Partial<Dues> = {}): Dues {
  const nextEscrow = sooner(others.nextEscrow, escrowDue(queues));
  const nextExpiry = sooner(others.nextExpiry, sooner(expiryDue(queues), inactivityDue(queues, inactiveOn)));
  return {
    ...(nextEscrow ? { nextEscrow } : {}),
    ...(nextExpiry ? { nextExpiry } : {}),
    expiresIn: nextExpiry?.points ?? 0,
  };
}

function escrowDue({ escrow }: LotQueues): Due {
  const date = escrow.lots[0]?.dtEscrowsOn;
  return date && { date, points: escrow.firstPoints };
}

function expiryDue({ available }: LotQueues): Due {
  const date = available.lots[0]?.dtExpiresOn;
  return date && { date, points: available.firstPoints };
}

function inactivityDue({ inactivity }: LotQueues, date: Date | undefined): Due {
  return date && inactivity.lots.length > 0 ? { date, points: inactivity.firstPoints } : undefined;
}

/** The sooner of two dates; if the dates are equal, the points of both. */
function sooner(a: Due, b: Due): Due {
  if (!a || !b) return a ?? b;
  const order = a.date.getTime() - b.date.getTime();
  if (order === 0) return { date: a.date, points: a.points + b.points };
  return order < 0 ? a : b;
}

/** The earliest date at which points of these purses are released or expire. */
export function earliestDue(purses: readonly Dues[]): Date | undefined {
  let first: Date | undefined;
  for (const { nextEscrow, nextExpiry } of purses) {
    for (const due of [nextEscrow, nextExpiry]) if (due && (!first || due.date < first)) first = due.date;
  }
  return first;
}

/** Tells whether the next expiry is at the inactivity date. True also for a lot that has this date as its own. */
export function expiresInactive({
  nextExpiry,
  inactiveOn,
}: Pick<Partial<Purse>, 'nextExpiry' | 'inactiveOn'>): boolean {
  return nextExpiry !== undefined && nextExpiry.date.getTime() === inactiveOn?.getTime();
}
