import type { Hash, Hmac } from 'node:crypto';
import { startYielding } from './yielding';

/**
 * The JSON text of a parsed body with the fields of every object sorted. Two bodies have the same text when they differ
 * only in the order of their fields. A body is at most 32 levels deep.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = sortedFields(value).map(([name, child]) => `${JSON.stringify(name)}:${canonicalJson(child)}`);
  return `{${fields.join(',')}}`;
}

function sortedFields(value: object): [string, unknown][] {
  return Object.keys(value)
    .sort()
    .map((name) => [name, Reflect.get(value, name)]);
}

/** This many characters are added to the hash at once. */
const pieceChars = 65_536;

/**
 * Adds a body to a hash, and yields to other work. Two bodies have the same hash when they have the same canonical
 * text. The body may be 16 MB: a list of activities, or rule files by their path.
 */
export async function addCanonicalJson(hash: Hash | Hmac, body: unknown): Promise<void> {
  const turn = startYielding();
  let piece = '';
  for (const part of jsonParts(body, levels)) {
    piece += part;
    if (piece.length < pieceChars) continue;
    hash.update(piece);
    piece = '';
    const others = turn();
    if (others) await others;
  }
  hash.update(piece);
}

/** The fields on these highest levels are parts of their own. */
const levels = 3;

/** The canonical text in parts, with a comma after every field and element. */
function* jsonParts(value: unknown, levelsLeft: number): Generator<string> {
  if (levelsLeft === 0 || typeof value !== 'object' || value === null) {
    yield canonicalJson(value);
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  for (const [name, child] of isList ? value.entries() : sortedFields(value)) {
    const start = isList ? '' : `${JSON.stringify(name)}:`;
    if (typeof child !== 'object') yield `${start}${canonicalJson(child)},`;
    else {
      yield start;
      yield* jsonParts(child, levelsLeft - 1);
      yield ',';
    }
  }
  yield isList ? ']' : '}';
}
