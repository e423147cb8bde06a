import type { Purse } from '../../records/points/purse';
import type { LotQueues } from '../lots/lotQueues';

/** When points of a purse are due next. */
export type Dues = Pick<Purse, 'nextEscrow' | 'nextExpiry' | 'expiresIn'>;

type Due = Purse['nextExpiry'];

/**
 * When points of a purse are released and expire next, and how many: all that share the earliest date.
 * @param inactiveOn when those points expire that do so by inactivity
 * @param others dates of lots that are not in the queues
 */
export function duesOf(queues: LotQueues, inactiveOn: Date | undefined, others: Partial<Dues> = {}): Dues {
  const nextEscrow = sooner(others.nextEscrow, nextEscrowOf(queues));
  const nextExpiry = sooner(others.nextExpiry, sooner(nextExpiryOf(queues), inactivityOf(queues, inactiveOn)));
  return {
    ...(nextEscrow ? { nextEscrow } : {}),
    ...(nextExpiry ? { nextExpiry } : {}),
    expiresIn: nextExpiry?.points ?? 0,
  };
}

function nextEscrowOf({ escrow }: LotQueues): Due {
  const date = escrow.lots[0]?.dtEscrowsOn;
  return date && { date, points: escrow.firstPoints };
}

function nextExpiryOf({ available }: LotQueues): Due {
  const date = available.lots[0]?.dtExpiresOn;
  return date && { date, points: available.firstPoints };
}

function inactivityOf({ inactivity }: LotQueues, date: Date | undefined): Due {
  return date && inactivity.lots.length > 0 ? { date, points: inactivity.firstPoints } : undefined;
}

/** The sooner of two; of the same date, their points together. */
function sooner(a: Due, b: Due): Due {
  if (!a || !b) return a ?? b;
  const order = a.date.getTime() - b.date.getTime();
  if (order === 0) return { date: a.date, points: a.points + b.points };
  return order < 0 ? a : b;
}

/** The earliest date at which something of these purses is due. */
export function earliestDue(purses: readonly Dues[]): Date | undefined {
  let first: Date | undefined;
  for (const { nextEscrow, nextExpiry } of purses) {
    for (const due of [nextEscrow, nextExpiry]) if (due && (!first || due.date < first)) first = due.date;
  }
  return first;
}

/** Tells whether points of a purse, or some of them, expire next by inactivity; those with that very date of their own too. */
export function expiresInactive({
  nextExpiry,
  inactiveOn,
}: Pick<Partial<Purse>, 'nextExpiry' | 'inactiveOn'>): boolean {
  return nextExpiry !== undefined && nextExpiry.date.getTime() === inactiveOn?.getTime();
}
