/** Whether a text is a number. `007` is not: leading zeros make it a name. */
export function isNumber(text: string): boolean {
  return /^-?[\d.]+$/.test(text) && !/^-?0\d/.test(text) && Number.isFinite(Number(text));
}

/**
 * Why a cell of numbers is not clear; undefined when it is. `1.000` may be one or, as some languages write it, a
 * thousand. `0.125` is clear: no thousands begin with 0.
 */
export function ambiguousNumber(text: string): string | undefined {
  const [whole = '', ...fractions] = text.split('.');
  const isGrouped = fractions.length > 0 && fractions.every((part) => /^\d{3}$/.test(part));
  if (!isGrouped || !/^-?[1-9]\d{0,2}$/.test(whole)) return undefined;
  const thousands = text.replaceAll('.', '');
  if (fractions.length > 1) return `"${text}" is not a number in a table; write ${thousands}`;
  const [fraction = ''] = fractions;
  const decimal = `${whole}.${fraction.endsWith('0') ? fraction.replace(/00?$/, '') : `${fraction}0`}`;
  return `"${text}" may be ${Number(text)} or ${thousands}; write ${decimal} or ${thousands}`;
}
