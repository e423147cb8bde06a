import type { Gain } from './discount';

/** Adds gains up: their discounts, and their points by purse. */
export function sumOfGains(gains: readonly Gain[]): Gain {
  const points = new Map<string, number>();
  for (const each of gains.flatMap((gain) => gain.points)) {
    points.set(each.purse, (points.get(each.purse) ?? 0) + each.points);
  }
  return {
    discount: gains.reduce((sum, gain) => sum + gain.discount, 0),
    points: [...points].map(([purse, each]) => ({ purse, points: each })),
  };
}
