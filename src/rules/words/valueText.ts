import { ObjectId } from 'bson';

/** Most elements of a list, and most characters of a text or object, that a sentence shows. */
const shownMax = { elements: 10, characters: 100 };

/** A value as a sentence shows it: texts in quotes, dates in UTC, long lists and texts cut short. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (Array.isArray(value)) return listText(value);
  return shortened(JSON.stringify(value) ?? String(value));
}

function listText(values: readonly unknown[]): string {
  if (values.length === 0) return 'an empty list';
  const shown = values
    .slice(0, shownMax.elements)
    .map((each) => (Array.isArray(each) ? jsonText(each) : valueText(each)));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function jsonText(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'missing');
}

function shortened(text: string): string {
  return text.length <= shownMax.characters ? text : `${text.slice(0, shownMax.characters - 1)}…`;
}
