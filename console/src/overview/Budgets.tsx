import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../api/client';
import { DataCard } from '../app/DataCard';
import { DateTime } from '../time/DateTime';

/** Most budgets that are shown. */
const shownMax = 10;

/** Budgets of rules that were nearly used up in the last 30 days. */
export function Budgets({ program }: { program: string }) {
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: ['budgets', program],
    queryFn: () => result(client.GET('/api/v1/events', { params: { query: { types: ['budget.low'], limit: 1000 } } })),
  });
  const own = (data?.events ?? []).filter((event) => event.program === program);
  const latest = own.slice(-shownMax).reverse();
  return (
    <Box sx={{ mt: 2 }}>
      <DataCard
        title={translate('overview.budgets.title')}
        empty={translate('overview.budgets.empty')}
        columns={[translate('fields.at'), translate('overview.budgets.what')]}
        rows={latest.map(({ id, at, data: budget }) => [id, <DateTime key="at" at={at} />, wordsOf(budget)])}
      />
    </Box>
  );
}

/** The data of an event, as `name value` pairs. */
function wordsOf(data: object): string {
  return Object.entries(data)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
