import { dayMs, monthsLater, type Period, periodOf, wallOf } from './calendar';

/** A rolling window: hours to the millisecond, or whole days with the last one. */
export interface Window {
  last: number;
  unit: 'hour' | 'day' | 'week' | 'month';
}

/** A limit of a rule as it is written in a rule file. */
export interface Limit {
  what: 'points' | 'times';
  per: 'member' | 'program';
  period: Exclude<Period, 'halfYear'> | Window;
  max: number;
  onExceed: 'reduce' | 'skip' | 'reject';
}

/** What an activity used of the limit or the budget of a rule, without what was given back. */
export interface Use {
  rule: string;
  member: string;
  date: number;
  amount: number;
  /** Points come back with those of the award; times with the last return alone. */
  isPoints: boolean;
}

/** What a limit lets an award have. */
export interface Allowed {
  points: number;
  use?: Use | undefined;
  /** The code of the error of a limit that rejects. */
  error?: number;
}

/** Who takes of a limit: a member with those that were merged into it, at a moment. */
export interface Taker {
  ids: readonly string[];
  zone: string;
  date: number;
  rule: string;
}

/** Cuts an award to what its limit has left. */
export function allowed(uses: readonly Use[], limit: Limit, points: number, taker: Taker): Allowed {
  const { ids, rule, date, zone } = taker;
  const own = uses.filter((use) => use.rule === rule && (limit.per === 'program' || ids.includes(use.member)));
  const left = limit.max - usedAround(own, limit.period, date, zone);
  const isPoints = limit.what === 'points';
  const wanted = isPoints ? points : 1;
  if (wanted > left && limit.onExceed === 'reject') return { points: 0, error: 2110 };
  if (wanted > left && limit.onExceed === 'skip') return { points: 0 };
  const amount = Math.min(wanted, Math.max(0, left));
  const use = { rule, member: ids[0] ?? '', date, amount, isPoints };
  return { points: isPoints ? amount : points * amount, use };
}

/** Cuts an award to what a budget has left: that of a rule for its whole life. */
export function withinBudget(uses: readonly Use[], budget: number, points: number, taker: Taker): Allowed {
  const limit: Limit = { what: 'points', per: 'program', period: 'lifetime', max: budget, onExceed: 'reduce' };
  return allowed(uses, limit, points, taker);
}

/** The most that is used in a period, or a window of this length, that has a moment. */
function usedAround(uses: readonly Use[], period: Limit['period'], date: number, zone: string): number {
  if (typeof period === 'string') {
    const name = periodOf(period, date, zone);
    return sumOf(uses.filter((use) => periodOf(period, use.date, zone) === name));
  }
  const placeOf = (at: number) => (period.unit === 'hour' ? at : dayOf(at, zone));
  const here = placeOf(date);
  const placed = uses.map(({ date: at, amount }) => ({ place: placeOf(at), amount }));
  // The fullest window ends with a use, or with the activity itself.
  const ends = [here, ...placed.map(({ place }) => place)].filter((end) => end >= here && beginOf(end, period) <= here);
  const sums = ends.map((end) => sumOf(placed.filter(({ place }) => place <= end && place >= beginOf(end, period))));
  return Math.max(...sums);
}

/** The first moment, or the first day, of the window that ends with one. */
function beginOf(end: number, { last, unit }: Window): number {
  if (unit === 'hour') return end - last * 3_600_000 + 1;
  if (unit === 'month') return monthsLater(new Date(end), -last) + dayMs;
  return end - (last * (unit === 'week' ? 7 : 1) - 1) * dayMs;
}

function dayOf(at: number, zone: string): number {
  return Math.floor(wallOf(at, zone).getTime() / dayMs) * dayMs;
}

function sumOf(uses: readonly { amount: number }[]): number {
  return uses.reduce((sum, { amount }) => sum + amount, 0);
}
