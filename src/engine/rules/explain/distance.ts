import type { FailedCondition } from '../language/decision';

/** Operators between numbers or dates of which one side can be too low or too high. */
const ordered = /(?:^|:)(?:lessThan|greaterThan|lessThanInclusive|greaterThanInclusive|equal|before|after)$/;

/**
 * How far a failed condition is from holding, above 0 and at most 1: for numbers and dates, the difference as a share of
 * the larger of both; 1 for any other condition, and when a value is missing.
 */
export function conditionDistance({ operator, expected, actual }: FailedCondition): number {
  if (!ordered.test(operator) || operator.startsWith('not:')) return 1;
  const [wanted, seen] = [comparableNumber(expected), comparableNumber(actual)];
  if (wanted === undefined || seen === undefined) return 1;
  const larger = Math.max(Math.abs(wanted), Math.abs(seen));
  const gap = larger === 0 ? 0 : Math.abs(wanted - seen) / larger;
  return Math.min(1, Math.max(gap, Number.EPSILON));
}

/**
 * How far a rule is from firing: the sum over its failed conditions. Each condition that cannot be judged counts as 1.
 */
export function totalDistance({ count, failed }: { count: number; failed: readonly FailedCondition[] }): number {
  return failed.reduce((sum, each) => sum + conditionDistance(each), count - failed.length);
}

function comparableNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Date) return value.getTime();
  return undefined;
}
