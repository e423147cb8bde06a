import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { may } from '../../session/session';
import { FormDialog } from '../../ui/FormDialog';
import { type Member, memberName } from '../../ui/memberName';
import { useChange } from './useChange';

/** Takes a member out of its account, for users with the permission. */
export function UnlinkButton({ member }: { member: Member }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (!may('accounts:update')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate('members.account.unlink')}</Button>
      {isOpen ? <Unlink member={member} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Unlink({ member, onClose }: { member: Member; onClose(): void }) {
  const translate = useTranslate();
  const unlink = useChange(
    (_: undefined) => {
      const query = { query: JSON.stringify({ 'members.member': member._id }) };
      return result(client.POST('/api/v1/accounts/unlink', { params: { query } }));
    },
    { done: 'members.account.unlinked', onDone: onClose },
  );
  return (
    <FormDialog
      title={translate('members.account.unlink')}
      submit={translate('members.account.unlink')}
      error={unlink.error}
      isBusy={unlink.isPending}
      onSubmit={() => unlink.mutate(undefined)}
      onClose={onClose}
    >
      <Typography>{translate('members.account.unlinkText', { name: memberName(member) })}</Typography>
    </FormDialog>
  );
}
