import Big from 'big.js';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { zoneInStore } from '#base/calendar/timezones';
import { accrualItemResource } from '#records/points/accrualItem';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import { loadHistory } from './breakage/loadHistory';
import { type RedemptionCurve, redemptionCurve, unredeemedShare } from './breakage/redemptionCurve';
import { monthPosition, monthText, startMonth } from './months';
import { type PagesScope, readPages } from './readPages';

/** Points that have not been used, those that are expected to expire, and what both cost. */
export interface Outstanding {
  /** Points that can be redeemed, or will be after their escrow. */
  points: number;
  /** The part of `points` that is in escrow. */
  escrowed: number;
  /** The part of `points` that is expected to expire; null without history. */
  expectedBreakage: number | null;
  /** `points` at the cost of a point; null when the purse policy names none. */
  cost: number | null;
  /** `cost` without the expected breakage; null without cost or history. */
  expectedCost: number | null;
}

/** The points outstanding of one purse of a program. */
export interface PurseLiability extends Outstanding {
  purse: ObjectId;
  name: string;
  costPerPoint: number | null;
  /** By the month in which they expire, the first one first. */
  months: (Outstanding & { month: string | null })[];
  /** How often points were redeemed, by months since their award; null without history. */
  breakage: { method: 'redemptionByAge'; months: number; ages: RedemptionCurve['ages'] } | null;
}

/** Live points of a purse with the same first month that expire on the same day. */
interface Row {
  purse: ObjectId;
  start: number;
  expiresOn: Date | null;
  points: number;
  escrowed: number;
}

/** The program, its purse policies, and the time of the report. */
export interface LiabilityScope extends PagesScope {
  program: Program;
  policies: readonly PursePolicy[];
  now: Date;
}

/**
 * The points of a program that members have not used, by purse and month of expiry, and what they are expected to cost.
 * Points past their expiry do not count, even before a timer has expired them.
 * @throws ServiceError 1310 when there are too many records to read in time
 */
export async function readLiability(db: Connection, scope: LiabilityScope): Promise<PurseLiability[]> {
  const rows = await readPages<Row>(db, accrualItemResource.path, scope, outstandingStages(scope));
  const history = await loadHistory(db, { ...scope, program: scope.program._id });
  return scope.policies.map((policy) => {
    const curve = redemptionCurve(history.get(policy._id.toHexString()) ?? []);
    const own = rows.filter(({ purse }) => purse.equals(policy._id));
    return purseLiability(policy, own, { curve, now: scope.now, timezone: scope.program.timezone });
  });
}

function outstandingStages({ program, now }: LiabilityScope): Record<string, unknown>[] {
  return [
    { $match: { program: program._id, state: { $in: ['escrow', 'available'] } } },
    { $match: { $or: [{ dtExpiresOn: { $gt: now } }, { dtExpiresOn: { $exists: false } }] } },
    {
      $group: {
        _id: {
          purse: '$purse',
          start: startMonth,
          expiresOn: { $dateTrunc: { date: '$dtExpiresOn', unit: 'day', timezone: zoneInStore(program.timezone) } },
        },
        points: { $sum: { $add: ['$availablePoints', '$escrowedPoints'] } },
        escrowed: { $sum: '$escrowedPoints' },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { points: '$points', escrowed: '$escrowed' }] } },
  ];
}

/** What the points of a purse are judged by. */
interface Basis {
  curve: RedemptionCurve | undefined;
  now: Date;
  timezone: string;
}

/** The liability of a purse from its live points. */
export function purseLiability(policy: PursePolicy, rows: readonly Row[], basis: Basis): PurseLiability {
  const { _id: purse, name, costPerPoint = null } = policy;
  const monthOfRow = ({ expiresOn }: Row) => expiresOn && monthText(expiresOn, basis.timezone);
  // Points that never expire come last: letters sort after digits.
  const months = [...new Set(rows.map(monthOfRow))].sort((a, b) => ((a ?? 'never') < (b ?? 'never') ? -1 : 1));
  const { curve } = basis;
  return {
    purse,
    name,
    costPerPoint,
    ...outstanding(rows, costPerPoint, basis),
    months: months.map((month) => {
      const own = rows.filter((row) => monthOfRow(row) === month);
      return { month, ...outstanding(own, costPerPoint, basis) };
    }),
    breakage: curve ? { method: 'redemptionByAge', months: curve.ages.length, ages: curve.ages } : null,
  };
}

function outstanding(rows: readonly Row[], costPerPoint: number | null, basis: Basis): Outstanding {
  const points = rows.reduce((sum, row) => sum + row.points, 0);
  const expected = rows.reduce((sum, row) => sum + unredeemedPoints(row, basis), 0);
  const expectedBreakage = basis.curve ? Math.round(expected) : null;
  const isKnown = costPerPoint !== null && expectedBreakage !== null;
  return {
    points,
    escrowed: rows.reduce((sum, row) => sum + row.escrowed, 0),
    expectedBreakage,
    cost: costPerPoint === null ? null : money(points, costPerPoint),
    expectedCost: isKnown ? money(points - expectedBreakage, costPerPoint) : null,
  };
}

/** Points without a date of expiry are never expected to expire. */
function unredeemedPoints({ start, expiresOn, points }: Row, { curve, now }: Basis): number {
  if (!curve || !expiresOn) return 0;
  return points * unredeemedShare(curve, monthPosition(now) - start, monthPosition(expiresOn) - start);
}

/** What points cost, rounded to hundredths. */
function money(points: number, costPerPoint: number): number {
  return new Big(points).times(costPerPoint).round(2).toNumber();
}
