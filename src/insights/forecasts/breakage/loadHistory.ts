import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import { monthIndex, monthNumber, startMonth } from '../months';
import { type PagesScope, readPages } from '../readPages';
import { type CohortMonth, historyMonthsMax } from './redemptionCurve';

/** The program whose history is read, and at which time. */
export interface HistoryScope extends PagesScope {
  program: ObjectId;
  now: Date;
}

/** Points of a purse that could be redeemed from a month on, and when they ended otherwise than by redemption. */
interface Awarded {
  purse: ObjectId;
  start: number;
  /** The month in which points of the group expired; null: none did. */
  ended: number | null;
  points: number;
  expired: number;
}

/** Points of a purse and a first month that were redeemed in a month. */
interface Redeemed {
  purse: ObjectId;
  start: number;
  month: number;
  points: number;
}

/**
 * Reads how the points of each purse of a program were redeemed: the complete months of the last
 * {@link historyMonthsMax}, by hexadecimal id of the purse policy.
 * @throws ServiceError 1310 when it takes too long
 */
export async function loadHistory(db: Connection, scope: HistoryScope): Promise<Map<string, CohortMonth[]>> {
  const awarded = await readAwarded(db, scope);
  const redeemed = await readRedeemed(db, scope);
  const purses = new Set(awarded.map(({ purse }) => purse.toHexString()));
  const rowsOfPurse = <T extends { purse: ObjectId }>(rows: readonly T[], hex: string) =>
    rows.filter(({ purse }) => purse.toHexString() === hex);
  const now = monthIndex(scope.now);
  return new Map(
    [...purses].map((hex) => [hex, cohortMonths(rowsOfPurse(awarded, hex), rowsOfPurse(redeemed, hex), now)] as const),
  );
}

/** The months of each group of points with the same first month; the month of now is not complete and does not count. */
export function cohortMonths(
  awarded: readonly Omit<Awarded, 'purse'>[],
  redeemed: readonly Omit<Redeemed, 'purse'>[],
  now: number,
): CohortMonth[] {
  const used = sums(
    redeemed,
    ({ start, month }) => `${start} ${month}`,
    ({ points }) => points,
  );
  const ended = sums(
    awarded,
    ({ start, ended: month }) => `${start} ${month}`,
    ({ expired }) => expired,
  );
  const begun = sums(
    awarded,
    ({ start }) => start,
    ({ points }) => points,
  );
  return [...begun].flatMap(([start, points]) => {
    const months: CohortMonth[] = [];
    let atRisk = points;
    for (let month = start; month < now && atRisk > 0; month += 1) {
      const key = `${start} ${month}`;
      months.push({ age: month - start, atRisk, redeemed: used.get(key) ?? 0 });
      atRisk -= (used.get(key) ?? 0) + (ended.get(key) ?? 0);
    }
    return months;
  });
}

function sums<T, K>(rows: readonly T[], keyOf: (row: T) => K, amountOf: (row: T) => number): Map<K, number> {
  const found = new Map<K, number>();
  for (const row of rows) found.set(keyOf(row), (found.get(keyOf(row)) ?? 0) + amountOf(row));
  return found;
}

async function readAwarded(db: Connection, scope: HistoryScope): Promise<Awarded[]> {
  const first = monthIndex(scope.now) - historyMonthsMax;
  return readPages<Awarded>(db, accrualItemResource.path, scope, [
    { $match: { program: scope.program } },
    {
      $project: {
        purse: 1,
        start: startMonth,
        ended: {
          $cond: [{ $gt: ['$expiredPoints', 0] }, monthNumber({ $ifNull: ['$dtExpiresOn', '$updatedAt'] }), null],
        },
        points: { $subtract: ['$accruedPoints', { $add: ['$reversedPoints', '$escrowedPoints'] }] },
        expired: '$expiredPoints',
      },
    },
    { $match: { start: { $gte: first } } },
    {
      $group: {
        _id: { purse: '$purse', start: '$start', ended: '$ended' },
        points: { $sum: '$points' },
        expired: { $sum: '$expired' },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { points: '$points', expired: '$expired' }] } },
  ]);
}

async function readRedeemed(db: Connection, scope: HistoryScope): Promise<Redeemed[]> {
  const first = monthIndex(scope.now) - historyMonthsMax;
  return readPages<Redeemed>(db, journalResource.path, scope, [
    { $match: { kind: { $in: ['burn', 'repay', 'restore'] }, accrualItem: { $exists: true } } },
    {
      $lookup: {
        from: accrualItemResource.path,
        localField: 'accrualItem',
        foreignField: '_id',
        as: 'item',
        pipeline: [{ $match: { org: scope.org, program: scope.program } }, { $project: { start: startMonth } }],
      },
    },
    { $unwind: '$item' },
    { $match: { 'item.start': { $gte: first } } },
    {
      $group: {
        _id: { purse: '$purse', start: '$item.start', month: monthNumber('$at') },
        points: { $sum: { $subtract: [0, '$available'] } },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { points: '$points' }] } },
  ]);
}
