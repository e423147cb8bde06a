/** A sum of points would leave the range in which integers are exact (2^53 - 1); the draft must be dropped. */
export class PointsOverflow extends Error {
  constructor() {
    super(`Points are at most ${Number.MAX_SAFE_INTEGER}`);
    this.name = 'PointsOverflow';
  }
}

/**
 * The exact sum of two numbers of points.
 * @throws PointsOverflow when it leaves the range of exact integers
 */
export function sum(a: number, b: number): number {
  const total = a + b;
  if (!Number.isSafeInteger(total)) throw new PointsOverflow();
  return total;
}

/** What an act gives, or what stands for it when a sum would be no exact integer. */
export function unlessOverflow<T>(act: () => T, otherwise: (error: PointsOverflow) => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PointsOverflow) return otherwise(error);
    throw error;
  }
}
