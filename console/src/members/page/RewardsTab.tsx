import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { ReferenceName } from '../../definitions/ReferenceName';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { Awaited } from '../../ui/Awaited';
import { listQuery } from '../../ui/listQuery';
import type { Member } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Paging, pageRows, useSkip } from '../../ui/Paging';
import { Rows } from '../../ui/Rows';
import { memberDataKey } from '../../ui/reads';
import { StatusChip } from '../../ui/StatusChip';
import { When } from '../../ui/When';

type Issued = components['schemas']['IssuedReward'];

/** The rewards that a member got, the latest first, with their codes. */
export function RewardsTab({ member }: { member: Member }) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const skip = useSkip();
  const read = useQuery({
    queryKey: [memberDataKey, 'rewards', member._id, skip],
    queryFn: ({ signal }) => {
      const query = listQuery({ member: member._id }, { sort: '-_id', limit: pageRows, skip });
      return result(client.GET('/api/v1/issuedrewards', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
  const columns = [
    { label: translate('members.rewards.issued'), cell: issuedOf },
    { label: translate('resources.rewards.name', { smart_count: 1 }), cell: rewardOf },
    { label: label('code'), cell: ({ code }: Issued) => code },
    { label: label('status'), cell: ({ status }: Issued) => <StatusChip status={status} /> },
    { label: label('validUntil'), cell: ({ validUntil }: Issued) => <When at={validUntil} /> },
  ];
  return (
    <Awaited read={read}>
      {(rows) => (
        <>
          <Rows
            label={translate('members.tabs.rewards')}
            rows={rows}
            columns={columns}
            keyOf={({ _id }) => _id}
            empty={translate('members.rewards.none')}
          />
          <Paging rows={rows.length} />
        </>
      )}
    </Awaited>
  );
}

function issuedOf({ activity, createdAt }: Issued) {
  const issued = <When at={createdAt} />;
  return activity ? <PageLink to={`/activities/${activity}`}>{issued}</PageLink> : issued;
}

function rewardOf({ reward, choice }: Issued) {
  const ids = reward ? [reward] : (choice?.rewards ?? []);
  if (!may('rewards:read')) return ids.join(', ');
  return ids.map((id) => (
    <div key={id}>
      <ReferenceName to="rewards" id={id} />
    </div>
  ));
}
