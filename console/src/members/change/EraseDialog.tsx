import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { client } from '../../api/client';
import { FormDialog } from '../../ui/FormDialog';
import { type Member, memberName } from '../../ui/memberName';
import { useChange } from './useChange';

/** Erases a member after its loyalty id was typed, because nothing brings it back. */
export function EraseDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const erase = useChange(
    (_: undefined) => result(client.DELETE('/api/v1/members/{id}', { params: { path: { id: member._id } } })),
    { done: 'members.erase.done', onDone: () => void navigate('/members') },
  );
  return (
    <FormDialog
      title={translate('members.erase.title', { name: memberName(member) })}
      submit={translate('members.erase.action')}
      error={erase.error}
      isBusy={erase.isPending}
      isReady={typed.trim() === member.loyaltyID}
      isDangerous
      onSubmit={() => erase.mutate(undefined)}
      onClose={onClose}
    >
      <Typography>{translate('members.erase.text')}</Typography>
      <TextField
        label={translate('members.erase.type', { loyaltyID: member.loyaltyID })}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
      />
    </FormDialog>
  );
}
