import { message } from '#base/common/messages/message';

/** A sum of points would exceed 2^53 - 1, the largest exact integer. The caller must drop the unsaved changes. */
export class PointsOverflow extends Error {
  readonly fault = message('points.max', { max: Number.MAX_SAFE_INTEGER });

  constructor() {
    super();
    this.message = this.fault.message;
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

/** Runs `act`; when a sum of points overflows in it, returns the result of `otherwise` instead. */
export function unlessOverflow<T>(act: () => T, otherwise: (error: PointsOverflow) => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PointsOverflow) return otherwise(error);
    throw error;
  }
}
