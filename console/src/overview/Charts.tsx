import Card from '@mui/material/Card';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { BarChart } from '@mui/x-charts/BarChart';
import { LineChart } from '@mui/x-charts/LineChart';
import { useLocale, useTranslate } from 'react-admin';
import { useZone } from '../time/ZoneContext';
import type { ProgramReport } from './answers';
import type { Period } from './period';
import { stepName } from './stepName';
import { withGaps } from './withGaps';

/** Points and activities over time, as pictures; the tables below say the same in numbers. */
export default function Charts({ report, period }: { report: ProgramReport; period: Period }) {
  const translate = useTranslate();
  const locale = useLocale();
  const zone = useZone();
  const { palette } = useTheme();
  const steps = withGaps(report, period, zone);
  const names = steps.map(({ at }) => stepName(at, report.by, zone, locale));
  const valueFormatter = (value: number | null) => (value ?? 0).toLocaleString(locale);
  const points = (['earned', 'redeemed', 'expired', 'reversed'] as const).filter((name) =>
    steps.some((step) => step[name] > 0),
  );
  const colors = {
    earned: palette.primary.main,
    redeemed: palette.info.main,
    expired: palette.warning.main,
    reversed: palette.error.main,
  };
  const shared = {
    height: 260,
    margin: { left: 0, right: 8, top: 8, bottom: 0 },
    skipAnimation: true,
    // It would be a stop of Tab without a name; the tables say the same.
    disableKeyboardNavigation: true,
    hideLegend: false,
  };
  return (
    <>
      <ChartCard name="points">
        <BarChart
          {...shared}
          xAxis={[{ data: names, scaleType: 'band', height: 28 }]}
          yAxis={[{ width: 56, valueFormatter }]}
          series={points.map((name) => ({
            data: steps.map((step) => step[name]),
            label: translate(`overview.tiles.${name}`),
            color: colors[name],
            valueFormatter,
          }))}
        />
      </ChartCard>
      <ChartCard name="activities">
        <LineChart
          {...shared}
          xAxis={[{ data: names, scaleType: 'point', height: 28 }]}
          yAxis={[{ width: 56, valueFormatter, min: 0 }]}
          series={(['activities', 'failed'] as const).map((name) => ({
            data: steps.map((step) => step[name]),
            label: translate(`overview.tiles.${name}`),
            color: name === 'failed' ? palette.error.main : palette.primary.main,
            showMark: false,
            valueFormatter,
          }))}
        />
      </ChartCard>
    </>
  );
}

function ChartCard({ name, children }: { name: string; children: React.ReactNode }) {
  const translate = useTranslate();
  return (
    <Card component="section" aria-labelledby={`chart-${name}`} sx={{ p: 2, minWidth: 0 }}>
      <Typography variant="h2" id={`chart-${name}`} gutterBottom>
        {translate(`overview.charts.${name}`)}
      </Typography>
      {children}
    </Card>
  );
}
