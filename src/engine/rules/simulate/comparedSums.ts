import { sum } from '#engine/points/pointsOverflow';

/** Points before and after a change. */
export interface Compared {
  before: number;
  after: number;
}

/** Points before and after a change, with the difference. */
export interface Difference extends Compared {
  difference: number;
}

/** Adds up points before and after a change, separately for each key. */
export class ComparedSums {
  private readonly sums = new Map<string, Compared>();

  get size(): number {
    return this.sums.size;
  }

  /**
   * Adds to the sums of a key. A new key starts at 0.
   * @throws PointsOverflow when a sum is beyond 2^53 - 1
   */
  add(key: string, { before, after }: Compared): void {
    const known = this.sums.get(key);
    if (known) {
      known.before = sum(known.before, before);
      known.after = sum(known.after, after);
    } else this.sums.set(key, { before, after });
  }

  *entries(): Generator<[string, Difference]> {
    for (const [key, compared] of this.sums) yield [key, withDifference(compared)];
  }
}

/** Adds the difference: points after, less points before. */
export function withDifference({ before, after }: Compared): Difference {
  return { before, after, difference: sum(after, -before) };
}
