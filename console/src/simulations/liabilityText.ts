import type { SimulationResult } from './simulationApi';

/** A program, as far as amounts of money need it. */
interface Currency {
  code: string;
  currencyCode?: string | undefined;
}

/** The difference in liability, in the currency of each program that has costs; a plain number where none is known. */
export function liabilityText(
  { purses }: Pick<SimulationResult, 'purses'>,
  programs: readonly Currency[],
  locale: string,
) {
  const sums = new Map<string | undefined, number>();
  for (const { program, liability } of purses) {
    if (liability === null) continue;
    const currency = programs.find(({ code }) => code === program)?.currencyCode;
    sums.set(currency, (sums.get(currency) ?? 0) + liability);
  }
  const parts = [...sums].map(([currency, sum]) =>
    sum.toLocaleString(locale, {
      signDisplay: 'exceptZero',
      ...(currency === undefined ? { maximumFractionDigits: 2 } : { style: 'currency', currency }),
    }),
  );
  return parts.length === 0 ? '–' : parts.join(', ');
}
