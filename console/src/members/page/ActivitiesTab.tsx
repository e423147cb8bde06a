import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { Awaited } from '../../ui/Awaited';
import { listQuery } from '../../ui/listQuery';
import { Money } from '../../ui/Money';
import type { Member } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Paging, pageRows, useSkip } from '../../ui/Paging';
import { Points } from '../../ui/Points';
import { type Column, Rows } from '../../ui/Rows';
import { memberDataKey } from '../../ui/reads';
import { StatusChip } from '../../ui/StatusChip';
import { useFilter } from '../../ui/useFilter';
import { useWords } from '../../ui/useWords';
import { When } from '../../ui/When';
import { ActivityFilters } from './ActivityFilters';
import { FiredRules } from './FiredRules';

type History = components['schemas']['ActivityHistory'];

const select = 'type,date,status,value,currencyCode,ruleMatch,result.errors,returnedValue';

/** What a member did, the latest first: each with the points that it moved, the rules that fired, and why. */
export function ActivitiesTab({ member }: { member: Member }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const [type] = useFilter('type');
  const [status] = useFilter('status');
  const read = useActivities(member, type, status);
  const moved = useMovedBy(member, read.data);
  const columns: Column<History>[] = [
    { label: label('date'), cell: ({ date }: History) => <When at={date} /> },
    { label: label('type'), cell: typeOf },
    { label: label('value'), cell: amountOf, isNumber: true, from: 'md' },
    {
      label: translate('members.find.points'),
      cell: ({ _id }: History) => <Points points={moved.get(_id) ?? 0} isChange />,
      isNumber: true,
    },
    {
      label: translate('members.activities.why'),
      cell: (each: History) => <FiredRules activity={each} />,
      from: 'md',
    },
  ];
  return (
    <>
      <ActivityFilters />
      <Awaited read={read}>
        {(rows) => (
          <>
            <Rows
              label={translate('members.tabs.activities')}
              rows={rows}
              columns={columns}
              keyOf={({ _id }) => _id}
              empty={translate('members.activities.none')}
            />
            <Paging rows={rows.length} />
          </>
        )}
      </Awaited>
    </>
  );

  function typeOf({ _id, type: own, status: state }: History) {
    return (
      <>
        <PageLink to={`/activities/${_id}`}>{words('type', own)}</PageLink>{' '}
        {state === 'Processed' ? null : <StatusChip status={state} />}
      </>
    );
  }
}

function amountOf({ value, currencyCode }: History) {
  return <Money amount={value} currency={currencyCode} />;
}

function useActivities({ _id }: Member, type: string, status: string) {
  const skip = useSkip();
  const filters = { memberID: _id, ...(type ? { type } : {}), ...(status ? { status } : {}) };
  return useQuery({
    queryKey: [memberDataKey, 'activities', filters, skip],
    queryFn: ({ signal }) => {
      const query = listQuery(filters, { sort: '-date', limit: pageRows, skip, select });
      return result(client.GET('/api/v1/activityhistories', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** The points that activities moved in the purses of a member, by the id of the activity. */
function useMovedBy({ _id, mergeIds }: Member, activities: readonly History[] = []): ReadonlyMap<string, number> {
  const ids = activities.map((each) => each._id);
  const { data = [] } = useQuery({
    queryKey: [memberDataKey, 'movedBy', _id, ids],
    queryFn: ({ signal }) => {
      const filter = { activity: { $in: ids }, member: { $in: [_id, ...mergeIds] } };
      const query = listQuery(filter, { select: 'activity,points', limit: 1000 });
      return result(client.GET('/api/v1/journal', { params: { query }, signal }));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const sums = new Map<string, number>();
  for (const { activity = '', points } of data) sums.set(activity, (sums.get(activity) ?? 0) + points);
  return sums;
}
