/** An amount in a currency; a number without one; a dash for null. */
export function money(amount: number | null, currency: string | undefined, locale: string): string {
  if (amount === null) return '–';
  if (currency === undefined) return amount.toLocaleString(locale);
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount);
}
