import { sum } from '#engine/points/pointsOverflow';
import { keptPoints, type PastCoupon } from './processedActivity';
import { rowsMax, type SimulationResult } from './simulationResult';

type OfferRow = SimulationResult['offers'][number];

/** Adds up, for each offer and reward that was applied, what it gives with the rules in force and with the changed ones. */
export class SimulatedOffers {
  private readonly counted = new Map<string, Omit<OfferRow, 'difference'>>();

  /** Counts the offers that an activity of the program applies. */
  count(program: string, coupons: readonly PastCoupon[], side: 'before' | 'after'): void {
    for (const { code: offer, changes } of coupons) {
      const key = JSON.stringify([program, offer]);
      const known = this.counted.get(key);
      if (!known && this.counted.size >= rowsMax) continue;
      const row = known ?? { program, offer, before: { applied: 0, points: 0 }, after: { applied: 0, points: 0 } };
      this.counted.set(key, row);
      row[side].applied += 1;
      for (const change of changes) row[side].points = sum(row[side].points, keptPoints(change));
    }
  }

  /** The rows of the result, largest difference first. */
  rows(): OfferRow[] {
    return [...this.counted]
      .map(([key, row]) => ({ key, row: { ...row, difference: sum(row.after.points, -row.before.points) } }))
      .sort((a, b) => Math.abs(b.row.difference) - Math.abs(a.row.difference) || (a.key < b.key ? -1 : 1))
      .map(({ row }) => row);
  }
}
