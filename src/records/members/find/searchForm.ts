/** The most characters of a search form. It may be longer than its text. */
const formMax = 254;

/** Letters that Unicode does not decompose, with the letters that people type for them. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

/** Most strings have only such characters, which have one Unicode form. */
const isAscii = /^[\x20-\x7e]*$/;

/**
 * Returns a string without differences that people ignore: case, accents, and the number of blanks. Two strings are
 * equal to a search when their forms are equal. The form of a form is itself.
 */
export function searchForm(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase().replace(/ +/g, ' ').trim().slice(0, formMax).trim();
  const bare = text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøđðþłħıς]/g, (letter) => plain[letter] ?? letter);
  return [...bare.replace(/\s+/g, ' ').trim()].slice(0, formMax).join('').trim();
}

/** The most characters of a word that a search compares. */
export const wordMax = 12;

/**
 * Splits a name into the search forms of its words, in their order. Blanks and hyphens separate words; an apostrophe or
 * a dot within a word is left out. Of a long word only the first {@link wordMax} characters count.
 */
export function splitNameWords(name: string): string[] {
  return searchForm(name)
    .split(/[\s\p{Pd}]+/u)
    .map((word) => [...word.replace(/[^\p{L}\p{N}\p{M}]/gu, '')].slice(0, wordMax).join(''))
    .filter((word) => word !== '');
}
