import { useLocale } from 'react-admin';
import { useProgram } from './ProgramContext';

interface MoneyProps {
  amount: number | undefined;
  /** Default: the currency of the member's program. */
  currency?: string | undefined;
}

/** An amount of money in the language of the page; a dash when there is none. */
export function Money({ amount, currency }: MoneyProps) {
  const locale = useLocale();
  const program = useProgram();
  return <>{amount === undefined ? '–' : moneyText(amount, currency ?? program?.currencyCode, locale)}</>;
}

/** An amount in words. A currency that the browser does not know follows the number unchanged. */
function moneyText(amount: number, currency: string | undefined, locale: string): string {
  const decimals = Number.isInteger(amount) ? { maximumFractionDigits: 0 } : {};
  if (currency === undefined) return amount.toLocaleString(locale);
  try {
    return amount.toLocaleString(locale, { style: 'currency', currency, ...decimals });
  } catch {
    return `${amount.toLocaleString(locale)} ${currency}`;
  }
}
