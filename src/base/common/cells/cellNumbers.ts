import { type Message, message } from '../messages/message';

/**
 * The whole number of a cell: digits, with at most a minus before them.
 * @returns undefined for every other text, and for a number that cannot be held exactly
 */
export function parseWholeNumber(text: string): number | undefined {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  // Adding 0 makes 0 of -0.
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/**
 * The number of a cell: digits, with at most a minus before them and a decimal point between them.
 * @returns undefined for every other text, and for a number that cannot be held exactly
 */
export function parseDecimal(text: string): number | undefined {
  const isNumeric = text.length <= digitsMax && (/^-?\d+$/.test(text) || /^-?\d+\.\d+$/.test(text));
  if (!isNumeric) return undefined;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = `${whole.replace(/^0+(?=\d)/, '')}.${fraction}`.replace(/\.?0*$/, '');
  const value = Number(text);
  const isExact = plainText(Math.abs(value)) === digits && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact ? value + 0 : undefined;
}

/** More characters than any exact number has. */
const digitsMax = 400;

/** Whether a cell of a table is a number. `007` is not: leading zeros make it a name. */
export function isNumber(text: string): boolean {
  return !/^-?0\d/.test(text) && parseDecimal(text) !== undefined;
}

/**
 * Why a cell of numbers is not clear; undefined when it is. `1.000` may be one or, as some languages write it, a
 * thousand. `0.125` is clear: no thousands begin with 0.
 */
export function ambiguousNumber(text: string): Message | undefined {
  if (!isGrouped(text)) return undefined;
  const thousands = text.replaceAll('.', '');
  const [whole = '', ...fractions] = text.split('.');
  if (fractions.length > 1) return message('ruleFiles.groupedNumber', { text, thousands });
  const [fraction = ''] = fractions;
  const decimal = `${whole}.${fraction.endsWith('0') ? fraction.replace(/00?$/, '') : `${fraction}0`}`;
  return message('ruleFiles.ambiguousNumber', { text, number: Number(text), decimal, thousands });
}

function isGrouped(text: string): boolean {
  const [whole = '', ...fractions] = text.split('.');
  const isOfThree = fractions.length > 0 && fractions.every((part) => /^\d{3}$/.test(part));
  return isOfThree && /^-?[1-9]\d{0,2}$/.test(whole);
}

/** A number as a cell has it that is read back as the same: without an exponent, and never one that may be two. */
export function numberCell(value: number): string {
  const text = plainText(value);
  return isGrouped(text) ? `${text}0` : text;
}

/**
 * The product of a number in digits and a factor, exactly.
 * @returns undefined when it is no whole number, or too large to be held exactly
 */
export function wholeProduct(text: string, factor: number): number | undefined {
  const parts = [text, plainText(factor)].map((each) => each.split('.'));
  const scale = parts.reduce((sum, [, fraction = '']) => sum + fraction.length, 0);
  const product = parts.reduce((all, [whole = '', fraction = '']) => all * BigInt(whole + fraction), 1n);
  const unit = 10n ** BigInt(scale);
  const value = Number(product / unit);
  return product % unit === 0n && Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** The digits of a number without an exponent. */
export function plainText(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const by = Number(exponent);
  const sign = value < 0 ? '-' : '';
  if (by < 0) return `${sign}0.${'0'.repeat(-by - whole.length)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(by, '0')}`;
}
