import Stack from '@mui/material/Stack';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { Awaited } from '../../ui/Awaited';
import { listQuery } from '../../ui/listQuery';
import type { Member } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Paging, pageRows, useSkip } from '../../ui/Paging';
import { Points } from '../../ui/Points';
import { PurseChoice } from '../../ui/PurseChoice';
import { type Column, Rows } from '../../ui/Rows';
import { memberDataKey, usePurses } from '../../ui/reads';
import { useFilter } from '../../ui/useFilter';
import { useWords } from '../../ui/useWords';
import { When } from '../../ui/When';

type Entry = components['schemas']['JournalEntry'];

/** Every change of a member's purses, the latest first, with the balance that it left. */
export function StatementTab({ member }: { member: Member }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const [purse, setPurse] = useFilter('purse');
  const read = useJournal(member, purse);
  const nameOf = (id: string) => member.purses.find(({ policyId }) => policyId === id)?.name ?? id;
  const columns: Column<Entry>[] = [
    { label: translate('members.statement.at'), cell: ({ at }: Entry) => <When at={at} /> },
    { label: translate('members.statement.kind'), cell: (each: Entry) => kindOf(each, words('journal', each.kind)) },
    { label: translate('members.page.purse'), cell: (each: Entry) => nameOf(each.purse), from: 'md' },
    {
      label: translate('members.find.points'),
      cell: ({ points }: Entry) => <Points points={points} isChange />,
      isNumber: true,
    },
    { label: label('balance'), cell: ({ balanceAfter }: Entry) => <Points points={balanceAfter} />, isNumber: true },
  ];
  return (
    <>
      <Stack sx={{ p: 2, pb: 1, alignItems: 'flex-start' }}>
        <PurseChoice member={member} value={purse} onChoose={setPurse} />
      </Stack>
      <Awaited read={read}>
        {(rows) => (
          <>
            <Rows
              label={translate('members.tabs.statement')}
              rows={rows}
              columns={columns}
              keyOf={({ _id }) => _id}
              empty={translate('members.statement.none')}
            />
            <Paging rows={rows.length} />
          </>
        )}
      </Awaited>
    </>
  );
}

function kindOf({ activity }: Entry, words: string) {
  return activity ? <PageLink to={`/activities/${activity}`}>{words}</PageLink> : words;
}

/**
 * A page of the journal, from its end. The service's statement begins with the first entry; people ask about the last
 * ones. It is read after the purses, so that what was due is in it.
 */
function useJournal({ _id, mergeIds }: Member, purse: string) {
  const skip = useSkip();
  const { isPending } = usePurses(_id);
  const hasMerged = mergeIds.length > 0;
  const filter = { member: hasMerged ? { $in: [_id, ...mergeIds] } : _id, ...(purse ? { purse } : {}) };
  return useQuery({
    queryKey: [memberDataKey, 'journal', filter, skip],
    queryFn: ({ signal }) => {
      const sort = hasMerged ? '-at,-seq' : '-seq';
      const query = listQuery(filter, { sort, limit: pageRows, skip });
      return result(client.GET('/api/v1/journal', { params: { query }, signal }));
    },
    enabled: !isPending,
    placeholderData: keepPreviousData,
  });
}
