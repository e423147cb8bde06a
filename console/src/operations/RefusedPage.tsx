import Card from '@mui/material/Card';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../api/client';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { useProblem } from '../i18n/useProblem';
import { Awaited } from '../members/parts/Awaited';
import { listQuery } from '../members/parts/listQuery';
import { PageLink } from '../members/parts/PageLink';
import { type Column, Rows } from '../members/parts/Rows';
import { useMemberNames } from '../members/parts/useMemberNames';
import { useWords } from '../members/parts/useWords';
import { Moment } from '../time/Moment';

type History = components['schemas']['ActivityHistory'];

/** How far back the page looks, in days: few of the activities of a day are refused, so more would be slow to find. */
const days = 7;
const rowsMax = 100;

/** Activities that were refused lately, and why, with the way to each and to its member. */
export default function RefusedPage() {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const problem = useProblem();
  const read = useQuery({
    queryKey: ['refused'],
    queryFn: ({ signal }) => {
      const since = Date.now() - days * 86_400_000;
      const query = listQuery({ status: 'Error', oplogTS: { $gte: since } }, { sort: '-oplogTS', limit: rowsMax });
      return result(client.GET('/api/v1/activityhistories', { params: { query }, signal }));
    },
    // The search goes through all activities of those days, so it is made again only when somebody asks for it.
    refetchOnWindowFocus: false,
  });
  const nameOf = useMemberNames(read.data?.map(({ memberID }) => memberID) ?? []);
  const columns: Column<History>[] = [
    { label: label('at'), cell: ({ oplogTS }) => <Moment at={oplogTS} /> },
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
      cell: ({ result: { errors } }) => errors.map((each) => `${problem(each)} (${each.code})`).join('; '),
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
            empty={translate('operations.refused.none')}
          />
        )}
      </Awaited>
    </Card>
  );
}
