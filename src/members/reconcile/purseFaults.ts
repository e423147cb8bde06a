import { lotExpiry } from '#engine/points/lots/lotParts';
import type { ArchivedPurse } from '#records/archives/archiveOpening';
import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import type { Replay } from './rebuildFromJournal';

/** What the archived lots of a purse add up to. */
export type ArchivedLots = Pick<ArchivedPurse, 'purse' | 'accrued' | 'burned' | 'expired' | 'charged'>;

/** Finds faults of purses. Each purse must equal the sums of its lots, with the archived ones, and the replay of its journal. */
export function purseFaults(
  purses: readonly Purse[],
  lots: readonly Lot[],
  replay: Replay,
  archived: readonly ArchivedLots[] = [],
): string[] {
  const names = new Set(purses.map(({ policyId }) => policyId.toHexString()));
  const unknown = [...replay.purses.keys()].filter((key) => !names.has(key));
  return [
    ...purses.flatMap((purse) => comparePurse(purse, sumLots(purse, lots, archived), replay)),
    ...unknown.map((key) => `the journal has entries for purse policy ${key}, but the member has no purse for it`),
  ];
}

/** A field, its stored value, the expected value, and the source of the expected value. */
type ComparedField = [field: string, found: number, right: number, by: string];

function comparePurse(purse: Purse, sums: PurseSums, replay: Replay): string[] {
  const name = `purse ${purse.name} (${purse._id})`;
  const replayed = replay.purses.get(purse.policyId.toHexString()) ?? { available: 0, escrow: 0, debt: 0 };
  const comparedFields: ComparedField[] = [
    ['debt', purse.debt, replayed.debt, 'the journal'],
    ['availBalance', purse.availBalance, replayed.available - replayed.debt, 'the journal'],
    ['escrowsIn', purse.escrowsIn, replayed.escrow, 'the journal'],
    ['balance', purse.balance, replayed.available + replayed.escrow - replayed.debt, 'the journal'],
    ['availBalance', purse.availBalance, sums.available - purse.debt, 'its lots'],
    ['escrowsIn', purse.escrowsIn, sums.escrow, 'its lots'],
    ['balance', purse.balance, sums.available + sums.escrow - purse.debt, 'its lots'],
    ['accruedPoints', purse.accruedPoints, sums.accrued, 'its lots'],
    ['burnedPoints', purse.burnedPoints, sums.burned, 'its lots'],
    ['expiredPoints', purse.expiredPoints, sums.expired, 'its lots'],
    ['expiresIn', purse.expiresIn, sums.nextExpiry?.points ?? 0, 'its lots'],
  ];
  const wrong = comparedFields.filter(([, found, right]) => found !== right);
  return [
    ...wrong.map(([field, found, right, by]) => `${name} has ${field} ${found}, but by ${by} it is ${right}`),
    ...dueFaults(name, 'nextEscrow', purse.nextEscrow, sums.nextEscrow),
    ...dueFaults(name, 'nextExpiry', purse.nextExpiry, sums.nextExpiry),
    ...(sums.charged > purse.debt + sums.repaid
      ? [
          `${name} has ${sums.charged} charged points in its lots, but only ${purse.debt + sums.repaid} are debt or repaid debt`,
        ]
      : []),
    ...(purse.debt > 0 && sums.available > 0 ? [`${name} has debt ${purse.debt} and available points at once`] : []),
  ];
}

type Due = Purse['nextExpiry'];

function dueFaults(name: string, field: string, found: Due, right: Due): string[] {
  if (found?.date.getTime() === right?.date.getTime() && found?.points === right?.points) return [];
  return [`${name} has ${field} ${show(found)}, but by its lots it is ${show(right)}`];
}

function show(due: Due): string {
  return due ? `${due.points} on ${due.date.toISOString()}` : 'none';
}

interface PurseSums {
  available: number;
  escrow: number;
  accrued: number;
  burned: number;
  expired: number;
  charged: number;
  repaid: number;
  nextEscrow: Due;
  nextExpiry: Due;
}

function sumLots({ policyId, inactiveOn }: Purse, lots: readonly Lot[], archived: readonly ArchivedLots[]): PurseSums {
  const own = lots.filter(({ purse }) => purse.equals(policyId));
  const gone = archived.filter(({ purse }) => purse.equals(policyId));
  const sum = (of: 'accrued' | 'burned' | 'expired' | 'charged') => gone.reduce((all, each) => all + each[of], 0);
  const total = (points: (lot: Lot) => number) => own.reduce((sum, lot) => sum + points(lot), 0);
  return {
    available: total((lot) => lot.availablePoints),
    escrow: total((lot) => lot.escrowedPoints),
    accrued: total((lot) => lot.accruedPoints) + sum('accrued'),
    burned: total((lot) => lot.burnedPoints) + sum('burned'),
    expired: total((lot) => lot.expiredPoints) + sum('expired'),
    charged: total((lot) => lot.chargedPoints ?? 0) + sum('charged'),
    repaid: total((lot) => lot.repaidPoints),
    nextEscrow: firstDue(own.map((lot) => ({ date: lot.dtEscrowsOn, points: lot.escrowedPoints }))),
    nextExpiry: firstDue(own.map((lot) => ({ date: lotExpiry(lot, inactiveOn), points: lot.availablePoints }))),
  };
}

function firstDue(points: readonly { date: Date | undefined; points: number }[]): Due {
  let first: { date: Date; points: number } | undefined;
  for (const { date, points: added } of points) {
    if (!date || added <= 0) continue;
    if (first?.date.getTime() === date.getTime()) first = { date, points: first.points + added };
    else if (!first || date < first.date) first = { date, points: added };
  }
  return first;
}
