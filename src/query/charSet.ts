/** The characters one position of a pattern can match: ASCII codes, and {@link beyondAscii} for all others. */
export type CharSet = ReadonlySet<number>;

/** Stands for every character past ASCII. */
const beyondAscii = 128;

const all = Array.from({ length: beyondAscii + 1 }, (_, code) => code);

/** Every character. */
export const anyChar: CharSet = new Set(all);

/** The characters of a class escape such as `\d`; undefined when the letter is none. */
export function escapedSet(letter: string): CharSet | undefined {
  const members = classEscapes.get(letter.toLowerCase());
  if (!members) return undefined;
  const set = new Set(all.filter((code) => code < beyondAscii && members.test(String.fromCharCode(code))));
  return letter === letter.toLowerCase() ? set : complement(set);
}

const classEscapes = new Map([
  ['d', /\d/],
  ['w', /\w/],
  ['s', /\s/],
]);

/** The characters from one code to another, both included. */
export function rangeSet(from: number, to: number): CharSet {
  const set = new Set<number>();
  for (let code = from; code <= Math.min(to, beyondAscii); code += 1) set.add(code);
  if (to > beyondAscii) set.add(beyondAscii);
  return set;
}

/** All characters but those of the set; those past ASCII are always in, since the set may hold only some. */
export function complement(set: CharSet): CharSet {
  return new Set(all.filter((code) => code === beyondAscii || !set.has(code)));
}

/** The set with both cases of its letters: what it can match when case does not count. */
export function caseless(set: CharSet): CharSet {
  return new Set([...set].flatMap(bothCases));
}

/** The characters of all these sets. */
export function union(sets: readonly CharSet[]): CharSet {
  return new Set(sets.flatMap((set) => [...set]));
}

/** Tells whether some character is in more than one of the sets. */
export function overlap(sets: readonly CharSet[]): boolean {
  return union(sets).size < sets.reduce((size, set) => size + set.size, 0);
}

function bothCases(code: number): number[] {
  if (code >= beyondAscii) return [beyondAscii];
  const letter = String.fromCharCode(code);
  const cased = [letter.toLowerCase().charCodeAt(0), letter.toUpperCase().charCodeAt(0)];
  // Without regard to case, k is also the Kelvin sign and s the long s.
  return /[ks]/i.test(letter) ? [...cased, beyondAscii] : cased;
}
