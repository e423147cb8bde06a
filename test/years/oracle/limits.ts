import type { Use } from './activity';
import { type Period, periodOf } from './calendar';

/** A limit of a rule as it is written in a rule file. */
export interface Limit {
  what: 'points' | 'times';
  per: 'member' | 'program';
  period: Exclude<Period, 'halfYear'>;
  max: number;
  onExceed: 'reduce' | 'skip' | 'reject';
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

/** How much of each limit is used, by the limit, who uses it and the period. */
export type Counters = Map<string, number>;

/** Cuts an award to what its limit has left. */
export function allowed(counters: Counters, limit: Limit, points: number, taker: Taker): Allowed {
  const period = periodOf(limit.period, taker.date, taker.zone);
  const keys = (limit.per === 'program' ? ['all'] : taker.ids).map((who) => [taker.rule, who, period].join(' '));
  const left = limit.max - keys.reduce((sum, key) => sum + (counters.get(key) ?? 0), 0);
  const wanted = limit.what === 'points' ? points : 1;
  if (wanted > left && limit.onExceed === 'reject') return { points: 0, error: 2110 };
  if (wanted > left && limit.onExceed === 'skip') return { points: 0 };
  const amount = Math.min(wanted, Math.max(0, left));
  const use = { counter: keys[0] ?? '', points: amount, returned: 0, isPoints: limit.what === 'points' };
  return { points: limit.what === 'points' ? amount : points * amount, use };
}

/** Counts what was used, or with a negative amount gives it back. */
export function countUse(counters: Counters, { counter }: Use, amount: number): void {
  counters.set(counter, (counters.get(counter) ?? 0) + amount);
}
