import { BarChart } from '@mui/x-charts/BarChart';
import { useLocale, useTranslate } from 'react-admin';
import type { ComparedRow } from './ComparisonTable';

/** Most bars of a picture; the table below has every row. */
const barsMax = 8;

/** A picture of points before and after, for the rows that differ most. */
export function BeforeAfter({ rows, label }: { rows: readonly ComparedRow[]; label: string }) {
  const translate = useTranslate();
  const locale = useLocale();
  const shown = [...rows].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, barsMax);
  const valueFormatter = (value: number | null) => (value ?? 0).toLocaleString(locale);
  return (
    <BarChart
      aria-label={label}
      disableKeyboardNavigation
      layout="horizontal"
      height={80 + shown.length * 44}
      yAxis={[{ data: shown.map(({ name }) => name), scaleType: 'band', width: 150, valueFormatter: shortened }]}
      xAxis={[{ valueFormatter: (value: number) => value.toLocaleString(locale, { notation: 'compact' }) }]}
      series={[
        {
          label: translate('simulations.figures.before'),
          data: shown.map(({ before }) => before),
          color: '#8a9aa8',
          valueFormatter,
        },
        {
          label: translate('simulations.figures.after'),
          data: shown.map(({ after }) => after),
          color: '#0b8a83',
          valueFormatter,
        },
      ]}
    />
  );
}

/** Names as the axis has room for. */
function shortened(name: string): string {
  return name.length > 22 ? `${name.slice(0, 21)}…` : name;
}
