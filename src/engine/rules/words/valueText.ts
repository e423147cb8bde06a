import { ObjectId } from 'bson';

/** How many elements of a list, and characters of a text or object, a sentence shows at most. */
export const shownMax = { elements: 10, characters: 100 };

/** A value in a sentence: strings in quotes, dates in UTC. Long lists and strings are shortened. */
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
