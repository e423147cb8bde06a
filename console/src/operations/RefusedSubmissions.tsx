import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../api/client';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { useServiceMessage } from '../i18n/useServiceMessage';
import { DateTime } from '../time/DateTime';
import { Awaited } from '../ui/Awaited';
import { listQuery } from '../ui/listQuery';
import { type Column, Rows } from '../ui/Rows';
import { useWords } from '../ui/useWords';

type Refused = components['schemas']['RefusedActivity'];

/** How far back lists look without a search, in days: few of the activities of a day are refused. */
export const refusedDays = 7;

/** Most rows of a list of refused activities. */
export const refusedMax = 100;

/** The filter of the activities that a number, a card or an id names. */
export function namedBy(text: string): object {
  const byId = /^[0-9a-f]{24}$/i.test(text) ? [{ _id: text }, { memberID: text }] : [];
  return { $or: [...byId, { externalTxnId: text }, { loyaltyID: text }] };
}

/** Activities that were accepted and refused before they became one, mostly since their member was not there, and why. */
export function RefusedSubmissions({ text }: { text: string }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const inLanguage = useServiceMessage();
  const read = useQuery({
    queryKey: ['refusedSubmissions', text],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - refusedDays * 86_400_000).toISOString();
      const which = text === '' ? { createdAt: { $gte: since } } : namedBy(text);
      const query = listQuery(which, { sort: '-_id', limit: refusedMax });
      return result(client.GET('/api/v1/refusedactivities', { params: { query }, signal }));
    },
    refetchOnWindowFocus: false,
  });
  const columns: Column<Refused>[] = [
    { label: label('at'), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    { label: label('type'), cell: ({ type }) => words('type', type) },
    { label: label('externalTxnId'), cell: ({ externalTxnId }) => externalTxnId },
    {
      label: translate('operations.refused.named'),
      cell: ({ loyaltyID, memberID, originalTxnId }) => loyaltyID ?? memberID ?? originalTxnId ?? '–',
    },
    { label: label('value'), cell: ({ value }) => value ?? '–', isNumber: true, from: 'md' },
    {
      label: translate('operations.refused.why'),
      cell: ({ errors }) => errors.map((each) => `${inLanguage(each)} (${each.code})`).join('; '),
    },
  ];
  return (
    <Card sx={{ mt: 3 }}>
      <Typography variant="h6" component="h2" sx={{ px: 2, pt: 2 }}>
        {translate('operations.refused.unprocessed')}
      </Typography>
      <Typography color="textSecondary" sx={{ px: 2, pb: 1 }}>
        {translate('operations.refused.unprocessedText')}
      </Typography>
      <Awaited read={read}>
        {(rows) => (
          <Rows
            label={translate('operations.refused.unprocessed')}
            rows={rows}
            columns={columns}
            keyOf={({ _id }) => _id}
            empty={translate(text === '' ? 'operations.refused.noneUnprocessed' : 'operations.refused.noneFound')}
          />
        )}
      </Awaited>
    </Card>
  );
}
