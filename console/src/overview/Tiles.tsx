import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import type { LiabilityReport, MemberReport, ProgramReport } from './answers';
import { money } from './money';

interface TilesProps {
  report: ProgramReport | undefined;
  liability: LiabilityReport | undefined;
  members: MemberReport | undefined;
}

/** The figures of the period, and present ones. */
export function Tiles({ report, liability, members }: TilesProps) {
  const translate = useTranslate();
  const locale = useLocale();
  const number = (value: number | undefined) => value?.toLocaleString(locale);
  const sum = (name: 'activities' | 'earned' | 'redeemed' | 'expired') =>
    number(report?.steps.reduce((total, step) => total + step[name], 0));
  const ofPurses = (name: 'points' | 'escrowed') =>
    number(liability?.purses.reduce((total, purse) => total + purse[name], 0));
  const tiles = [
    ['activities', sum('activities')],
    ['earned', sum('earned')],
    ['redeemed', sum('redeemed')],
    ['expired', sum('expired')],
    ['outstanding', ofPurses('points')],
    ['escrowed', ofPurses('escrowed')],
    ['liability', liability && money(liability.cost, liability.currencyCode, locale)],
    ['members', number(members?.members)],
  ] as const;
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(46%, 200px), 1fr))' }}
    >
      {tiles.map(([name, value]) => (
        <Card key={name} sx={{ p: 2 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {translate(`overview.tiles.${name}`)}
          </Typography>
          <Typography component="dd" variant="h5" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {value ?? <Skeleton width="60%" />}
          </Typography>
        </Card>
      ))}
    </Box>
  );
}
