import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { LoyaltyError, result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { Awaited } from '../../ui/Awaited';
import { type Member, memberName } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Points } from '../../ui/Points';
import { Rows } from '../../ui/Rows';
import { memberDataKey } from '../../ui/reads';
import { JoinDialog } from '../change/JoinDialog';
import { UnlinkButton } from '../change/UnlinkButton';

type Account = components['schemas']['Account'];

/** The account that a member is in: who else is in it, and what they have together. */
export function AccountTab({ member }: { member: Member }) {
  const translate = useTranslate();
  const read = useAccount(member);
  return (
    <Awaited read={read}>
      {(account) => (
        <Box sx={{ p: 2 }}>
          <Typography sx={{ mb: 1 }}>{translate(account ? 'members.account.text' : 'members.account.none')}</Typography>
          {account ? <Together account={account} /> : null}
          <Stack direction="row" sx={{ gap: 1, mt: 2, flexWrap: 'wrap' }}>
            <JoinButton member={member} account={account} />
            {account ? <UnlinkButton member={member} /> : null}
          </Stack>
        </Box>
      )}
    </Awaited>
  );
}

function JoinButton({ member, account }: { member: Member; account: Account | null }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (!may(account ? 'accounts:update' : 'accounts:create')) return null;
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {translate('members.account.join')}
      </Button>
      {isOpen ? <JoinDialog member={member} account={account} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The members of an account. */
function Together({ account }: { account: Account }) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const ids = account.members.map(({ member }) => member);
  const read = useQuery({
    queryKey: [memberDataKey, 'accountMembers', ids],
    queryFn: ({ signal }) => {
      const query = { query: JSON.stringify({ _id: { $in: ids } }), limit: ids.length };
      return result(client.GET('/api/v1/members', { params: { query }, signal }));
    },
  });
  const columns = [
    {
      label: translate('members.find.member'),
      cell: (each: Member) => <PageLink to={`/members/${each._id}`}>{memberName(each)}</PageLink>,
    },
    { label: label('loyaltyID'), cell: ({ loyaltyID }: Member) => loyaltyID },
    {
      label: translate('members.account.active'),
      cell: ({ _id }: Member) => translate(`ra.boolean.${_id === account.activeMember}`),
    },
    {
      label: translate('members.find.points'),
      cell: ({ purses }: Member) => <Points points={purses.find(({ primary }) => primary)?.availBalance ?? 0} />,
      isNumber: true,
    },
  ];
  return (
    <Awaited read={read}>
      {(rows) => (
        <Rows
          label={translate('members.tabs.account')}
          rows={rows}
          columns={columns}
          keyOf={({ _id }) => _id}
          empty=""
        />
      )}
    </Awaited>
  );
}

/** The account of a member; null when it is in none. */
function useAccount({ _id }: Member) {
  return useQuery({
    queryKey: [memberDataKey, 'account', _id],
    queryFn: async ({ signal }): Promise<Account | null> => {
      const params = { path: { memberid: _id } };
      const called = await client.GET('/api/v1/accounts/member/{memberid}', { params, signal });
      if (called.response.status === 404) return null;
      if (called.data === undefined) throw new LoyaltyError(called.response, called.error);
      return called.data;
    },
  });
}
