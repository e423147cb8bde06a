import { germanCount } from '#base/words/germanNumber';
import { shownMax, valueText } from '../valueText';

/** A value in a German sentence: numbers with a comma, lists shortened, strings in quotes. A number may be a code. */
export function germanValue(value: unknown): string {
  if (value === undefined) return 'nichts';
  if (typeof value === 'number') return plainNumbers.format(value);
  if (typeof value === 'boolean') return value ? 'wahr' : 'nicht wahr';
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'kein Datum';
  if (!Array.isArray(value)) return valueText(value);
  if (value.length === 0) return 'eine leere Liste';
  const shown = value
    .slice(0, shownMax.elements)
    .map((each) => (Array.isArray(each) ? valueText(each) : germanValue(each)));
  const more = value.length - shown.length;
  return more > 0 ? `${shown.join(', ')} und ${more} mehr` : shown.join(', ');
}

const plainNumbers = new Intl.NumberFormat('de', { maximumFractionDigits: 20, useGrouping: false });

/** Points as a count: `1 Punkt`, `2 Punkte`. */
export function germanPoints(points: number): string {
  return germanCount(points, 'Punkt', 'Punkte');
}
