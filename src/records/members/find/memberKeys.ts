import { ObjectId } from 'bson';
import { soughtForms } from '#base/schema/findable';
import type { KeyedField } from '#base/schema/resource';
import { phoneKeys, soughtPhoneKeys } from './phoneKeys';
import { searchForm, splitNameWords, wordMax } from './searchForm';

/** The fields of a member by which it is found. */
export interface FoundBy {
  loyaltyIDs: readonly string[];
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  formerKeys?: readonly string[] | undefined;
}

/** Most keys of e-mails and phone numbers that a member has from those merged into it. */
export const formerKeysMax = 100;

/** The field of a member with its keys. */
const list = 'searchKeys';

/** The most words of the first name, and of the last name, that are found. */
const wordsMax = 5;

/** How many characters of each word the keys of a pair of words have. Longer keys are more selective. */
const pairLengths = [2, 3, 4, 5] as const;

const loyaltyIdKey = (id: string) => `i${searchForm(id)}`;
const emailKey = (email: string) => `e${searchForm(email)}`;
const firstNameKey = (name: string) => `f${searchForm(name)}`;
const lastNameKey = (name: string) => `l${searchForm(name)}`;
/** The key of all words with this beginning. */
const beginningKey = (start: string) => `w${start}`;

/**
 * Returns the keys by which a member is found (decision 46). Every write of a member stores them with the fields that
 * they come from.
 */
export function memberKeys({ loyaltyIDs, firstName, lastName, formerKeys = [], ...contact }: FoundBy): string[] {
  const words = [firstName, lastName].flatMap((name) => splitNameWords(name ?? '').slice(0, wordsMax));
  const keys = new Set([...loyaltyIDs.map(loyaltyIdKey), ...contactKeys(contact), ...formerKeys]);
  if (firstName) keys.add(firstNameKey(firstName));
  if (lastName) keys.add(lastNameKey(lastName));
  for (const word of words) for (const start of wordBeginnings(word)) keys.add(beginningKey(start));
  for (const [index, word] of words.entries()) {
    for (const other of words.slice(index + 1)) for (const key of pairKeys(word, other)) keys.add(key);
  }
  return [...keys];
}

/** The keys by which a member is found by its e-mail and its phone number. */
export function contactKeys({ email, phone }: Pick<FoundBy, 'email' | 'phone'>): string[] {
  return [...(email ? [emailKey(email)] : []), ...(phone ? phoneKeys(phone) : [])];
}

function wordBeginnings(word: string): string[] {
  let start = '';
  return Array.from(word, (letter) => {
    start += letter;
    return start;
  });
}

/** The keys of two words, in any order: one for each length that both have. */
function pairKeys(word: string, other: string): string[] {
  const [letters, others] = [[...word], [...other]];
  return pairLengths.flatMap((length) => {
    if (Math.min(letters.length, others.length) < length) return [];
    const [one, two] = [letters.slice(0, length).join(''), others.slice(0, length).join('')];
    return one < two ? `&${one}+${two}` : `&${two}+${one}`;
  });
}

/** The fields of a member that queries find by keys. */
export const keyedFields: Readonly<Record<string, KeyedField>> = {
  loyaltyID: { list: 'loyaltyIDs', keysOf: soughtForms, hasValues: true },
  email: { list, keysOf: (email) => [emailKey(email)] },
  phone: { list, keysOf: soughtPhoneKeys },
  firstName: { list, keysOf: (name) => [firstNameKey(name)], beginningOf: singleBeginning },
  lastName: { list, keysOf: (name) => [lastNameKey(name)], beginningOf: singleBeginning },
};

/** A name that begins with these letters has a first word that does. */
function singleBeginning(letters: string): string | undefined {
  const [word, ...others] = splitNameWords(letters);
  return word === undefined || others.length > 0 ? undefined : beginningKey(word);
}

/**
 * Makes the filter that finds the members that a search text names, as people type it: by an id, a loyalty id, an
 * e-mail, a phone number, or by words that are each the beginning of a word of the name, in any order. With a `*` at
 * the end it also finds names, ids, e-mails and phone numbers with this prefix. One index serves all of it.
 */
export function searchFilter(text: string): Record<string, unknown> {
  const sought = text.trim();
  const starts = keyPrefixes(sought).map((start) => ({ [list]: { $elemMatch: prefixCondition(start) } }));
  const words = /\p{L}/u.test(sought) && !sought.includes('@') ? distinctWords(splitNameWords(sought)) : [];
  if (starts.length > 0) return { $or: words.length > 0 ? [...starts, withKeyOrWords([], words)] : starts };
  const keys = [
    loyaltyIdKey(sought),
    ...(sought.includes('@') ? [emailKey(sought)] : []),
    ...(isPhone(sought) ? soughtPhoneKeys(sought) : []),
  ];
  const found = withKeyOrWords(keys, words);
  return /^[0-9a-f]{24}$/i.test(sought) ? { $or: [{ _id: { $eq: new ObjectId(sought) } }, found] } : found;
}

/** Fewer characters are not searched, because too many ids and e-mails begin with them. */
const startMin = 3;

/** The key prefixes of a search text that ends in `*`; none for any other text. */
function keyPrefixes(sought: string): string[] {
  if (!sought.endsWith('*')) return [];
  const start = sought.slice(0, -1).trim();
  const phones = isPhone(start) ? soughtPhoneKeys(start) : [];
  const keys = /\s/.test(start) ? phones : [loyaltyIdKey(start), emailKey(start), ...phones];
  // The first character of a key is its kind.
  return keys.filter((key) => key.length > startMin);
}

/** Keys are compared as UTF-8, in which almost nothing comes after U+FFFF. */
function prefixCondition(start: string): Record<string, unknown> {
  return { $gte: start, $lt: `${start}\uffff` };
}

function isPhone(text: string): boolean {
  return /^[\d\s()+./-]+$/.test(text) && /\d/.test(text);
}

/** Leaves out a word that another one begins with, since a name with the longer word has both. */
function distinctWords(words: readonly string[]): string[] {
  const all = [...new Set(words)].slice(0, 2 * wordsMax);
  return all.filter((word) => !all.some((other) => other !== word && other.startsWith(word)));
}

/** Finds members with one of the keys, or with all these words. */
function withKeyOrWords(keys: readonly string[], words: readonly string[]): Record<string, unknown> {
  if (words.length > 1) return withAllWords(keys, words);
  return { [list]: { $in: [...keys, ...words.map(beginningKey)] } };
}

/**
 * Finds members with one of the keys, or with all of several words. The index is searched by the most selective key of
 * the words only. The other words are compared in an expression, because the database might choose any one of several
 * keys.
 */
function withAllWords(keys: readonly string[], words: readonly string[]): Record<string, unknown> {
  const [rarest = '', second = ''] = [...words].sort((a, b) => wordRarity(b) - wordRarity(a));
  const found = pairKeys(rarest, second).at(-1) ?? beginningKey(rarest);
  const has = (key: string) => ({ $in: [key, { $ifNull: [`$${list}`, []] }] });
  const allWords = { $and: words.map((word) => has(beginningKey(word))) };
  return { [list]: { $in: [...keys, found] }, $expr: { $or: [...keys.map(has), allWords] } };
}

/**
 * How rare a word is. Longer words are rarer, and words with a digit, as in `MARIA-7`, are rarest, because hardly any
 * name has one.
 */
function wordRarity(word: string): number {
  return word.length + (/\d/.test(word) ? wordMax : 0);
}
