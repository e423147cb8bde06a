/** A number of a clock or a date with at least two digits: `07`. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
