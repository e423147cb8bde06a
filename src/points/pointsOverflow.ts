/** A sum of points would leave the range in which integers are exact (2^53 - 1); the draft must be dropped. */
export class PointsOverflow extends Error {
  constructor(what: string) {
    super(`${what} would exceed ${Number.MAX_SAFE_INTEGER} points`);
    this.name = 'PointsOverflow';
  }
}

/**
 * The number itself when it is an exact integer.
 * @throws PointsOverflow otherwise; `what` names the sum in its message
 */
export function exact(points: number, what: string): number {
  if (!Number.isSafeInteger(points)) throw new PointsOverflow(what);
  return points;
}

/**
 * The exact sum of two numbers of points.
 * @throws PointsOverflow when it leaves the range of exact integers
 */
export function sum(a: number, b: number): number {
  return exact(a + b, 'A sum of points');
}
