/**
 * The calling codes of one and two digits (ITU-T E.164). All others have three digits. The plan is complete, so no code
 * is the beginning of another.
 */
const shortCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A number of fewer digits than this, without `+`, has no calling code. */
const withCodeMin = 8;

/** What can be known of a phone number from how it is written. */
interface Phone {
  /**
   * The number within the country, without the prefix for calls inside it; absent when the number has a calling code
   * for sure.
   */
  national?: string;
  /** The number with its calling code; absent when it has none for sure. */
  international?: { number: string; national: string };
}

/**
 * The keys by which a member's phone number is found. A number without a calling code could be of any country, so it is
 * found by all numbers that are the same within their country.
 */
export function phoneKeys(text: string): string[] {
  const { national, international } = readPhone(text);
  return [
    ...(national === undefined ? [] : [nationalKey(national), unknownCountryKey(national)]),
    ...(international ? [internationalKey(international.number), nationalKey(international.national)] : []),
  ];
}

/**
 * The keys of the phone numbers that a text may mean, however it is written: with `+`, 00 or nothing before the calling
 * code, or as within the country. A member has the number when its {@link phoneKeys} have one of them.
 */
export function soughtPhoneKeys(text: string): string[] {
  const { national, international } = readPhone(text);
  return [
    ...(national === undefined ? [] : [nationalKey(national)]),
    ...(international ? [internationalKey(international.number), unknownCountryKey(international.national)] : []),
  ];
}

const internationalKey = (number: string) => `p${number}`;
const nationalKey = (national: string) => `n${national}`;
const unknownCountryKey = (national: string) => `u${national}`;

function readPhone(text: string): Phone {
  const writing = text.normalize('NFKC');
  const digits = writing.replace(/\D/g, '');
  if (/^\D*\+/.test(writing)) return { international: withCode(digits) };
  if (digits.startsWith('00')) return { international: withCode(digits.slice(2)) };
  // A value without a digit is not a number. It is found as it is written.
  if (digits === '') return { national: writing.trim().toLowerCase() };
  const isBare = !digits.startsWith('0') && digits.length >= withCodeMin;
  return { national: withoutTrunk(digits), ...(isBare ? { international: withCode(digits) } : {}) };
}

/** Some write the prefix for calls within the country after the calling code: `+49 (0)151`. */
function withCode(digits: string) {
  const code = shortCode.exec(digits)?.[0] ?? digits.slice(0, 3);
  const rest = digits.slice(code.length).replace(/^0+/, '');
  return { number: `${code}${rest}`, national: withoutTrunk(rest) };
}

/** Leaves out the prefix for calls within the country: 0, or 8 before ten digits (Russia, Kazakhstan). */
function withoutTrunk(digits: string): string {
  const rest = digits.replace(/^0+/, '');
  return /^8\d{10}$/.test(rest) ? rest.slice(1) : rest;
}
