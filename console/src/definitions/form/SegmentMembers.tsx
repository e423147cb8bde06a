import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useLocale, useRecordContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { DataCard } from '../../app/DataCard';

/** Most members that are shown. */
const shownMax = 10;

/** The members that a segment has now: how many, and the first of them. */
export function SegmentMembers() {
  const translate = useTranslate();
  const locale = useLocale();
  const segment = useRecordContext();
  const filter = segment?.kind === 'query' ? segment.query : { segments: segment?.id };
  const query = JSON.stringify(filter ?? {});
  const { data, error } = useQuery({ queryKey: ['segment', query], queryFn: () => membersOf(query) });
  const title = translate('definitions.members');
  return (
    <DataCard
      title={data ? `${title}: ${data.count.toLocaleString(locale)}` : title}
      empty={error ? faultText(error, translate) : translate('definitions.noMembers')}
      columns={['loyaltyID', 'name', 'status'].map((name) => translate(`fields.${name}`))}
      rows={(data?.members ?? []).map(({ _id, loyaltyID, firstName, lastName, status }) => [
        _id,
        <MuiLink key="member" component={Link} to={`/members/${_id}`}>
          {loyaltyID}
        </MuiLink>,
        [firstName, lastName].filter(Boolean).join(' ') || '–',
        status,
      ])}
    />
  );
}

async function membersOf(query: string) {
  const [members, { count }] = await Promise.all([
    result(client.GET('/api/v1/members', { params: { query: { query, limit: shownMax } as never } })),
    result(client.GET('/api/v1/members/count', { params: { query: { query } as never } })),
  ]);
  return { members, count };
}
