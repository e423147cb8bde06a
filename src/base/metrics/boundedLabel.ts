/** Replaces every value beyond the limit of a label. */
export const otherValue = 'other';

/**
 * Makes a function that bounds the values of a label which clients or definitions choose: the first `valuesMax` values
 * that it is asked for stay as they are, every further one becomes {@link otherValue}. Each value of a label makes a
 * time series of its own, which the process and Prometheus keep.
 */
export function boundedLabel(valuesMax: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= valuesMax) return otherValue;
    known.add(value);
    return value;
  };
}
