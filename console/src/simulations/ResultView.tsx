import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import { usePrograms } from '../rules/api/programs';
import { BeforeAfter } from './BeforeAfter';
import { ComparisonTable } from './ComparisonTable';
import { liabilityText } from './liabilityText';
import { MembersView } from './MembersView';
import { PointsOverTime } from './PointsOverTime';
import type { SimulationResult } from './simulationApi';

/** What a simulation says: figures, pictures of before and after, and tables with every number of the pictures. */
export default function ResultView({ result }: { result: SimulationResult }) {
  const translate = useTranslate();
  const { rules, purses, groups, offers } = result;
  const ruleRows = rules.map(({ name, key, before, after, difference, change, missing }) => ({
    name,
    note: [
      translate(`simulations.change.${change}`),
      ...missing.map(({ fact }) => translate('simulations.missing', { fact })),
    ].join('; '),
    id: key,
    before: before.points,
    after: after.points,
    difference,
  }));
  const purseRows = purses.map(({ purse, program, ...row }) => ({ ...row, id: `${program} ${purse}`, name: purse }));
  const groupRows = groups.map(({ by, name, ...row }) => ({ ...row, id: `${by} ${name}`, name: `${name} (${by})` }));
  const offerRows = offers.map(({ offer, program, before, after, difference }) => ({
    id: `${program} ${offer}`,
    name: offer,
    difference,
    before: before.points,
    after: after.points,
  }));
  const tables = [
    ['rules', ruleRows],
    ['purses', purseRows],
    ['groups', groupRows],
    ['offers', offerRows],
  ] as const;
  return (
    <>
      <Figures result={result} />
      {result.byTime ? <PointsOverTime byTime={result.byTime} /> : null}
      <Box
        sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 460px), 1fr))' }}
      >
        {tables.map(([name, rows]) =>
          rows.length === 0 ? null : (
            <Card key={name} component="section" sx={{ p: 2, minWidth: 0 }} aria-labelledby={`result-${name}`}>
              <Typography variant="h2" id={`result-${name}`}>
                {translate(`simulations.by.${name}`)}
              </Typography>
              <BeforeAfter rows={rows} label={translate(`simulations.by.${name}`)} />
              <ComparisonTable
                rows={rows}
                label={translate(`simulations.by.${name}`)}
                named={translate(`simulations.named.${name}`)}
              />
            </Card>
          ),
        )}
        <MembersView members={result.members} />
      </Box>
    </>
  );
}

function Figures({ result }: { result: SimulationResult }) {
  const translate = useTranslate();
  const locale = useLocale();
  const { data: programs = [] } = usePrograms();
  const { activities, differing, failing, notEvaluated, points } = result;
  const figures = {
    activities,
    differing,
    before: points.before,
    after: points.after,
    difference: points.difference,
    liability: liabilityText(result, programs, locale),
    failing,
    notEvaluated,
  };
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gap: 2, m: 0, gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))' }}
    >
      {Object.entries(figures).map(([name, value]) => (
        <Card key={name} sx={{ p: 1.5 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {translate(`simulations.figures.${name}`)}
          </Typography>
          <Typography component="dd" sx={{ m: 0, fontSize: '1.4rem', fontWeight: 600 }}>
            {typeof value === 'string'
              ? value
              : value.toLocaleString(locale, { signDisplay: name === 'difference' ? 'exceptZero' : 'auto' })}
          </Typography>
        </Card>
      ))}
    </Box>
  );
}
