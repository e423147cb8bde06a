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
