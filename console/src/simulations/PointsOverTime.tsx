import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { LineChart } from '@mui/x-charts/LineChart';
import { useLocale, useTranslate } from 'react-admin';
import { ComparisonTable } from './ComparisonTable';
import type { SimulationResult } from './simulationApi';

type OverTime = NonNullable<SimulationResult['byTime']>;

/** Points before and after by day, or by week, month or year: a picture, and a table with every number of it. */
export function PointsOverTime({ byTime: { unit, periods } }: { byTime: OverTime }) {
  const translate = useTranslate();
  const locale = useLocale();
  const title = translate(`simulations.time.${unit}`);
  const rows = periods.map(({ from, ...points }) => ({ id: from, name: periodText(from, unit, locale), ...points }));
  const valueFormatter = (value: number | null) => (value ?? 0).toLocaleString(locale);
  const sides = [
    ['before', '#8a9aa8'],
    ['after', '#0b8a83'],
  ] as const;
  if (periods.length === 0) return null;
  return (
    <Card component="section" sx={{ p: 2, mt: 2, minWidth: 0 }} aria-labelledby="result-time">
      <Typography variant="h2" id="result-time">
        {title}
      </Typography>
      <LineChart
        aria-label={title}
        disableKeyboardNavigation
        height={260}
        xAxis={[{ data: rows.map(({ name }) => name), scaleType: 'point', height: 28 }]}
        yAxis={[
          { valueFormatter: (value: number) => value.toLocaleString(locale, { notation: 'compact' }), width: 56 },
        ]}
        series={sides.map(([side, color]) => ({
          label: translate(`simulations.figures.${side}`),
          data: rows.map((row) => row[side]),
          color,
          // A smooth curve would show values between the days that no day has.
          curve: 'linear',
          showMark: rows.length < 2,
          valueFormatter,
        }))}
      />
      <ComparisonTable rows={rows} label={title} named={translate(`simulations.unit.${unit}`)} />
    </Card>
  );
}

/** A period as people write it: a day with its month and year, a month with its year, or a year. */
function periodText(from: string, unit: OverTime['unit'], locale: string): string {
  const day = unit === 'day' || unit === 'week';
  return new Date(`${from}T00:00:00.000Z`).toLocaleDateString(locale, {
    timeZone: 'UTC',
    year: 'numeric',
    ...(unit === 'year' ? {} : { month: day ? 'numeric' : 'short' }),
    ...(day ? { day: 'numeric' } : {}),
  });
}
