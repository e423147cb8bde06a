import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../api/client';
import { SearchBox } from '../definitions/list/SearchBox';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { useServiceMessage } from '../i18n/useServiceMessage';
import { may } from '../session/session';
import { DateTime } from '../time/DateTime';
import { Awaited } from '../ui/Awaited';
import { listQuery } from '../ui/listQuery';
import { PageLink } from '../ui/PageLink';
import { type Column, Rows } from '../ui/Rows';
import { useFilter } from '../ui/useFilter';
import { useMemberNames } from '../ui/useMemberNames';
import { useWords } from '../ui/useWords';
import { namedBy, RefusedSubmissions, refusedDays, refusedMax } from './RefusedSubmissions';

type History = components['schemas']['ActivityHistory'];

/** Activities that were refused lately, or that have a number or card, and why. */
export default function RefusedPage() {
  const translate = useTranslate();
  const [text, setText] = useFilter('text');
  return (
    <>
      <Box sx={{ mb: 2 }}>
        <SearchBox
          label={translate('operations.refused.search')}
          value={text}
          onSearch={(next) => setText(next.trim())}
        />
      </Box>
      <WithHistory text={text} />
      {may('refusedactivities:read') && <RefusedSubmissions text={text} />}
    </>
  );
}

/** Those that became an activity, with the way to each and to its member. */
function WithHistory({ text }: { text: string }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const inLanguage = useServiceMessage();
  const read = useQuery({
    queryKey: ['refused', text],
    queryFn: ({ signal }) => {
      const which = text === '' ? { oplogTS: { $gte: Date.now() - refusedDays * 86_400_000 } } : namedBy(text);
      const query = listQuery({ status: 'Error', ...which }, { sort: '-oplogTS', limit: refusedMax });
      return result(client.GET('/api/v1/activityhistories', { params: { query }, signal }));
    },
    // The search goes through all activities of those days, so it is repeated only on request.
    refetchOnWindowFocus: false,
  });
  const nameOf = useMemberNames(read.data?.map(({ memberID }) => memberID) ?? []);
  const columns: Column<History>[] = [
    { label: label('at'), cell: ({ oplogTS }) => <DateTime at={oplogTS} /> },
    {
      label: label('type'),
      cell: ({ _id, type }) => <PageLink to={`/activities/${_id}`}>{words('type', type)}</PageLink>,
    },
    {
      label: translate('members.find.member'),
      cell: ({ memberID }) => <PageLink to={`/members/${memberID}`}>{nameOf(memberID)}</PageLink>,
      from: 'md',
    },
    { label: label('externalTxnId'), cell: ({ externalTxnId }) => externalTxnId ?? '–', from: 'xl' },
    {
      label: translate('operations.refused.why'),
      cell: ({ result: { errors } }) => errors.map((each) => `${inLanguage(each)} (${each.code})`).join('; '),
    },
  ];
  return (
    <Card>
      <Awaited read={read}>
        {(rows) => (
          <Rows
            label={translate('operations.refused.title')}
            rows={rows}
            columns={columns}
            keyOf={({ _id }) => _id}
            empty={translate(text === '' ? 'operations.refused.none' : 'operations.refused.noneFound')}
          />
        )}
      </Awaited>
    </Card>
  );
}
