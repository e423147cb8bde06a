import { sum } from '../../points/pointsOverflow';

/** Points before and after a change. */
export interface Compared {
  before: number;
  after: number;
}

/** Points before and after, and what lies between. */
export interface Difference extends Compared {
  difference: number;
}

/** Adds up points before and after by a key. */
export class ComparedSums {
  private readonly sums = new Map<string, Compared>();

  get size(): number {
    return this.sums.size;
  }

  /**
   * Adds to a key; an unknown one begins at 0.
   * @throws PointsOverflow beyond 2^53 - 1
   */
  add(key: string, { before, after }: Compared): void {
    const known = this.sums.get(key);
    if (known) {
      known.before = sum(known.before, before);
      known.after = sum(known.after, after);
    } else this.sums.set(key, { before, after });
  }

  *entries(): Generator<[string, Difference]> {
    for (const [key, compared] of this.sums) yield [key, differenceOf(compared)];
  }
}

/** The same with its difference. */
export function differenceOf({ before, after }: Compared): Difference {
  return { before, after, difference: sum(after, -before) };
}
