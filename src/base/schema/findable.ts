import { type Message, message } from '#base/common/messages/message';

/**
 * The kinds of strings that records are found by (docs/design/identifiers.md): an `identifier` is compared by machines,
 * such as a card number; a `name` is also read by people, such as the name of a level.
 */
export type Findable = 'identifier' | 'name';

const isPrintableAscii = /^[\x20-\x7e]+$/;

/** Most strings are plain: printable ASCII without a blank at an end. They have one form, and nothing to refuse. */
function isPlain(text: string): boolean {
  return isPrintableAscii.test(text) && !text.startsWith(' ') && !text.endsWith(' ');
}

const space = /\p{White_Space}/u;

const otherSpace = /[^\P{White_Space} ]/u;

/** Characters that nobody sees. U+2800 is a blank of Braille; Unicode does not count it to the white space. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Joiners and variation selectors where words need them: a joiner after a letter of Arabic or Syriac or after a mark,
 * and before a letter; within an emoji; the selector of an emoji.
 */
const neededInNames =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{M}])[\u200C\u200D](?=\p{L})|(?<=\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)/gu;

/**
 * The form in which strings are stored and compared: Unicode's NFC, in which a letter with its accent is one character.
 */
export function comparable(text: string): string {
  return isPlain(text) ? text : text.normalize('NFC');
}

/** The fault of a string that records are found by; undefined when it is good. */
export function findableFault(text: string, kind: Findable): Message | undefined {
  if (isPlain(text)) return undefined;
  const characters = [...text];
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  if (space.test(first)) return message('schema.beginsWithSpace', { code: codePoint(first) });
  if (space.test(last)) return message('schema.endsWithSpace', { code: codePoint(last) });
  const stray = characters.findIndex((each) => otherSpace.test(each));
  if (stray >= 0) return message('schema.otherSpace', { character: stray + 1, code: codeAt(text, stray) });
  // A needed one becomes a visible character, so that the others keep their places.
  const seen = kind === 'name' ? text.replace(neededInNames, '-') : text;
  const hidden = [...seen].findIndex((each) => invisible.test(each));
  if (hidden >= 0) return message('schema.invisible', { character: hidden + 1, code: codeAt(text, hidden) });
  return undefined;
}

/** The pattern of findable strings in the OpenAPI document: none of these characters, no blank at an end. */
export const findablePattern = (() => {
  const refused =
    '\\u0000-\\u001F\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F' +
    '\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB';
  return `^[^ ${refused}]([^${refused}]*[^ ${refused}])?$`;
})();

/**
 * The forms in which an earlier version may have stored a string that is looked up. Only strings beyond ASCII have two:
 * the present form (NFC), and the decomposed one (NFD), which some systems write.
 */
export function soughtForms(text: string): string[] {
  if (isPlain(text)) return [text];
  return [...new Set([text.normalize('NFC'), text.normalize('NFD'), text])];
}

/** Records by the string that finds them, in its stored form. Of two forms of one string, the stored form wins. */
export function byForm<T>(entries: Iterable<readonly [text: string, record: T]>): Map<string, T> {
  const found = new Map<string, T>();
  for (const [text, record] of entries) {
    const form = comparable(text);
    if (form === text || !found.has(form)) found.set(form, record);
  }
  return found;
}

/** A string without invisible characters and without white space at its ends, as people read it. */
export function withoutUnseen(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '').trim();
}

/** A string in folded case: the key by which offers, rewards and users are unique. Folding it again changes nothing. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}

/** The key by which a code is found that people type: without case, hyphens, blanks and what nobody sees. */
export function toCodeKey(code: string): string {
  const bare = folded(code).replace(/[\p{Pd}\u2212\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return bare === '' ? folded(code) : bare;
}

/**
 * The forms in which a code of the service may be typed, and the one in which it was made: groups of four capital
 * characters. So a code that only the service makes needs no stored key.
 */
export function madeForms(code: string): string[] {
  const groups =
    toCodeKey(code)
      .toUpperCase()
      .match(/.{1,4}/g) ?? [];
  return [...new Set([...soughtForms(code), groups.join('-')])];
}

function codeAt(text: string, index: number): string {
  return codePoint([...text][index] ?? '');
}

function codePoint(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}
