import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../api/client';
import { lazyPage } from '../app/lazyPage';
import { Fault } from '../app/unread/Fault';
import { isUnreached } from '../app/unread/isUnreached';
import { Budgets } from './Budgets';
import { Liability } from './Liability';
import { Members } from './Members';
import type { OverviewProgram } from './overviewProgram';
import type { Period } from './period';
import { Refusals } from './Refusals';
import { Tiles } from './Tiles';
import { TopRules } from './TopRules';

const Charts = lazyPage(() => import('./Charts'));

/** How often a period that lasts until now is read again, in milliseconds. */
const everyMs = 30_000;

/** How long the counts of all members and points are good for, in milliseconds: reading them is work for the service. */
const lastingMs = 10 * 60_000;

/** What a program recorded in a period, what it owes, and who its members are. */
export function Overview({ program, period }: { program: OverviewProgram; period: Period }) {
  const _translate = useTranslate();
  const { from, to, by, isUntilToday } = period;
  const query = { program: program.id, from, by, ...(to === undefined ? {} : { to }) };
  const report = useQuery({
    queryKey: ['report', query],
    queryFn: () => result(client.GET('/api/v1/reports/program', { params: { query } })),
    refetchInterval: isUntilToday ? everyMs : false,
  });
  const liability = useQuery({
    queryKey: ['liability', program.id],
    queryFn: () => result(client.GET('/api/v1/forecasts/liability', { params: { query: { program: program.id } } })),
    staleTime: lastingMs,
  });
  const members = useQuery({
    queryKey: ['members', program.id],
    queryFn: () => result(client.GET('/api/v1/reports/members', { params: { query: { program: program.id } } })),
    staleTime: lastingMs,
  });
  const error = report.error ?? liability.error ?? members.error;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(12, minmax(0, 1fr))', '& > *': half }}>
      {error && !isUnreached(error) ? (
        <Box sx={wide}>
          <Fault error={error} />
        </Box>
      ) : null}
      <Box sx={wide}>
        <Tiles report={report.data} liability={liability.data} members={members.data} />
      </Box>
      {report.data ? <Charts report={report.data} period={period} /> : null}
      <TopRules report={report.data} />
      <Members members={members.data} />
      <Liability liability={liability.data} />
      <Box>
        <Refusals report={report.data} />
        <Budgets program={program.id} />
      </Box>
    </Box>
  );
}

const half = { gridColumn: { xs: 'span 12', lg: 'span 6' } };
const wide = { gridColumn: '1 / -1 !important' };
