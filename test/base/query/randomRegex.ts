import fc from 'fast-check';

const letters = ['a', 'b', 'k', 'x', '7', 'é', '-', ' '];
const classes = ['.', '[ab]', '[^a]', '[a-z]', '[^é]', '[à-ü]', '[\\w-]', '\\d', '\\w', '\\W', '\\s', '\\S'];
const escapes = ['\\-', '\\.', '\\x61', '\\u00e9', '\\n', '\\ '];
const places = ['^', '$', '\\b', '\\B'];

/** Syntax that PCRE accepts, but that reads refuse, or that other engines interpret differently. */
const foreign = [
  '\\h',
  '\\R',
  '\\X',
  '\\K',
  '\\G',
  '\\A',
  '\\z',
  '\\N',
  '\\C',
  '\\pL',
  '\\p{L}',
  '\\Qa\\E',
  '\\1',
  '\\g{1}',
  '[[:alpha:]]',
  '[]a]',
  '(?i)',
  '(?#c)',
  '(?R)',
  '(?1)',
  '(*COMMIT)',
  '(*UCP)',
  '(?=a)',
  '(?!b)',
  '(?<=a)',
  '(?(1)a|b)',
  '{',
  '}',
  ']',
  ')',
  '(',
  '[',
  '\\',
  '{,3}',
  '++',
  '*+',
  '\\c[',
  '\\08',
  '\\o{141}',
];

const repeats = ['*', '+', '?', '{2}', '{3,}', '{1,3}', '{0,20}', '{1,200}', '*?', '+?', '{2,5}?'];
const openings = ['(', '(?:', '(?>', '(?|', '(?<n>', '(?i:'];

const single = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...letters) },
  { weight: 3, arbitrary: fc.constantFrom(...classes) },
  { weight: 1, arbitrary: fc.constantFrom(...escapes) },
);

const repeated = fc
  .tuple(single, fc.option(fc.constantFrom(...repeats), { freq: 2 }))
  .map(([of, times]) => `${of}${times ?? ''}`);

const rowOf = (part: fc.Arbitrary<string>, max: number) =>
  fc.array(part, { minLength: 1, maxLength: max }).map((parts) => parts.join(''));

const { pattern } = fc.letrec<{ pattern: string; group: string; part: string }>((tie) => ({
  group: fc
    .tuple(fc.constantFrom(...openings), tie('pattern'), fc.option(fc.constantFrom(...repeats)))
    .map(([opening, inner, times]) => `${opening}${inner})${times ?? ''}`),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 12, arbitrary: repeated },
    { weight: 1, arbitrary: fc.constantFrom(...places) },
    { weight: 1, arbitrary: tie('group') },
    { weight: 1, arbitrary: fc.constantFrom(...foreign) },
  ),
  pattern: fc.array(rowOf(tie('part'), 6), { minLength: 1, maxLength: 3 }).map((rows) => rows.join('|')),
}));

/** A pattern that reads probably allow: few classes and repetitions, long runs of one letter, many alternatives. */
const tame = fc.oneof(
  rowOf(repeated, 12),
  rowOf(repeated, 4).map((row) => `^${row}$`),
  fc
    .tuple(fc.constantFrom(...letters), fc.integer({ min: 1, max: 30 }), rowOf(repeated, 3))
    .map(([letter, times, rest]) => `${letter.repeat(times)}${rest}[^ax]`),
  fc.array(rowOf(repeated, 3), { minLength: 2, maxLength: 8 }).map((rows) => rows.join('|')),
  fc
    .tuple(single, fc.array(fc.constantFrom(...repeats), { maxLength: 4 }), single)
    .map(([of, all, end]) => `${of}${all.map((times) => `${of}${times}`).join('')}${end}!`),
);

/** A valid or invalid pattern in PCRE syntax; half of the patterns are of kinds that reads allow. */
export const regexSource: fc.Arbitrary<string> = fc.oneof(tame, pattern);

/** A short text of the characters that random patterns use. */
export const shortText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...letters, 'A', 'É', 'ü', '\n', '.'), { maxLength: 10 })
  .map((chars) => chars.join(''));

/**
 * Texts that make a pattern slow: runs of each of its characters, with and without a wrong end, and repetitions of its
 * own text without the last character.
 * @param length characters of each text
 */
export function worstTexts(source: string, length: number): string[] {
  const plain = source.replaceAll(/\\(.)|\{[^}]*\}?|[()[\]^$*+?|.:<>]/g, (_, escaped?: string) => escaped ?? '');
  const chars = [...new Set([...plain].filter((char) => /[a-z0-9é -]/.test(char)).slice(0, 6)), 'a', 'ü', '\n'];
  const runs = chars.flatMap((char) => [fill(char, length), `${fill(char, length - 1)}\0`]);
  const output = [plain, plain.slice(0, -1), plain.slice(0, 2)].filter((text) => text !== '');
  return [...new Set([...runs, ...output.map((text) => fill(text, length)), fill('ab7é ', length)])];
}

function fill(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
