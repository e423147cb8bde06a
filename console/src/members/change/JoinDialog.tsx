import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { FormDialog } from '../../ui/FormDialog';
import { MemberPicker } from '../../ui/MemberPicker';
import type { Member } from '../../ui/memberName';
import { useChange } from './useChange';

type Account = components['schemas']['Account'];

interface JoinDialogProps {
  member: Member;
  account: Account | null;
  onClose(): void;
}

/** Puts another member into the account of a member, which is made when there is none. */
export function JoinDialog({ member, account, onClose }: JoinDialogProps) {
  const translate = useTranslate();
  const [other, setOther] = useState<Member | null>(null);
  const join = useChange((added: Member) => joined(member, account, added), {
    done: 'members.account.joined',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={translate('members.account.join')}
      submit={translate('ra.action.add')}
      error={join.error}
      isBusy={join.isPending}
      isReady={other !== null}
      onSubmit={() => other && join.mutate(other)}
      onClose={onClose}
    >
      <Typography>{translate('members.account.joinText')}</Typography>
      <MemberPicker
        label={translate('members.find.member')}
        except={[member._id, ...(account?.members.map((each) => each.member) ?? [])]}
        value={other}
        onPick={setOther}
      />
    </FormDialog>
  );
}

function joined(member: Member, account: Account | null, other: Member) {
  const entry = ({ _id, program }: Member) => ({ member: _id, program });
  if (!account) return result(client.POST('/api/v1/accounts', { body: { members: [entry(member), entry(other)] } }));
  const params = { path: { id: account._id }, header: { 'If-Match': `"v${account.version}"` } };
  const body = { members: [...account.members, entry(other)] };
  return result(client.PATCH('/api/v1/accounts/{id}', { params, body }));
}
