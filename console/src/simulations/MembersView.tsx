import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import Typography from '@mui/material/Typography';
import { BarChart } from '@mui/x-charts/BarChart';
import { useLocale, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { useMemberNames } from '../ui/useMemberNames';
import type { SimulationResult } from './simulationApi';

type Members = SimulationResult['members'];

/** How many members win and lose, and those with the largest differences. */
export function MembersView({ members }: { members: Members }) {
  const translate = useTranslate();
  const locale = useLocale();
  const nameOf = useMemberNames([...members.mostWon, ...members.mostLost].map(({ member }) => member));
  const counts = ['winners', 'unchanged', 'losers'] as const;
  return (
    <Card component="section" sx={{ p: 2, minWidth: 0 }} aria-labelledby="result-members">
      <Typography variant="h2" id="result-members">
        {translate('simulations.by.members')}
      </Typography>
      <BarChart
        disableKeyboardNavigation
        aria-label={translate('simulations.by.members')}
        height={220}
        xAxis={[{ data: counts.map((each) => translate(`simulations.members.${each}`)), scaleType: 'band' }]}
        series={[
          {
            data: counts.map((each) => members[each]),
            color: '#0b8a83',
            label: translate('simulations.members.count'),
            valueFormatter: (value) => (value ?? 0).toLocaleString(locale),
          },
        ]}
      />
      <Typography>
        {counts
          .map((each) => `${translate(`simulations.members.${each}`)}: ${members[each].toLocaleString(locale)}`)
          .join(' · ')}
      </Typography>
      <Most title={translate('simulations.members.mostWon')} rows={members.mostWon} nameOf={nameOf} />
      <Most title={translate('simulations.members.mostLost')} rows={members.mostLost} nameOf={nameOf} />
    </Card>
  );
}

interface MostProps {
  title: string;
  rows: Members['mostWon'];
  nameOf(id: string): string;
}

function Most({ title, rows, nameOf }: MostProps) {
  const locale = useLocale();
  if (rows.length === 0) return null;
  return (
    <>
      <Typography variant="h3" sx={{ mt: 1 }}>
        {title}
      </Typography>
      <List dense disablePadding>
        {rows.map(({ member, before, after, difference }) => (
          <ListItem key={member} disableGutters sx={{ gap: 1 }}>
            <MuiLink component={Link} to={`/members/${member}`}>
              {nameOf(member)}
            </MuiLink>
            {before.toLocaleString(locale)} → {after.toLocaleString(locale)} (
            {difference.toLocaleString(locale, { signDisplay: 'exceptZero' })})
          </ListItem>
        ))}
      </List>
    </>
  );
}
