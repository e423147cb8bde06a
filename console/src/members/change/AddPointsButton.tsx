import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { DateTimeField } from '../../ui/DateTimeField';
import { FormDialog } from '../../ui/FormDialog';
import type { Member } from '../../ui/memberName';
import { WholeField } from '../../ui/WholeField';
import { ReasonField } from './ReasonField';
import { useChange } from './useChange';
import { useRequestKey } from './useRequestKey';

/** Adds points by hand, with a reason, for users with the permission. */
export function AddPointsButton({ member }: { member: Member }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (!may('accrualitems:write')) return null;
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {translate('members.change.add.title')}
      </Button>
      {isOpen ? <AddPoints member={member} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function AddPoints({ member, onClose }: { member: Member; onClose(): void }) {
  const translate = useTranslate();
  const locale = useLocale();
  const label = useFieldLabel();
  const keyOf = useRequestKey();
  const [purse, setPurse] = useState(member.purses.find(({ primary }) => primary)?.policyId ?? '');
  const [points, setPoints] = useState('');
  const [expires, setExpires] = useState('');
  const [reason, setReason] = useState('');
  const add = useChange(
    (body: ReturnType<typeof bodyOf>) => {
      const params = { header: { 'Idempotency-Key': keyOf(body) } };
      return result(client.POST('/api/v1/accrualitems', { body, params }));
    },
    { done: 'members.change.add.done', onDone: onClose },
  );
  const balance = member.purses.find(({ policyId }) => policyId === purse)?.availBalance ?? 0;
  const bodyOf = () => ({
    member: member._id,
    purse,
    accruedPoints: Number(points),
    ext: { reason: reason.trim() },
    ...(expires === '' ? {} : { dtExpiresOn: expires }),
  });
  const isReady = Number.isSafeInteger(Number(points)) && Number(points) > 0 && purse !== '' && reason.trim() !== '';
  return (
    <FormDialog
      title={translate('members.change.add.title')}
      submit={translate('members.change.add.submit')}
      error={add.error}
      isBusy={add.isPending}
      isReady={isReady}
      onSubmit={() => add.mutate(bodyOf())}
      onClose={onClose}
    >
      <PurseField member={member} value={purse} onChange={setPurse} />
      <WholeField label={translate('members.find.points')} value={points} min={1} onChange={setPoints} isRequired />
      <DateTimeField
        label={label('dtExpiresOn')}
        value={expires}
        onChange={setExpires}
        helperText={translate('members.change.add.expiry')}
      />
      <ReasonField value={reason} onChange={setReason} />
      <Typography variant="body2" aria-live="polite">
        {isReady
          ? translate('members.change.preview', {
              before: balance.toLocaleString(locale),
              after: (balance + Number(points)).toLocaleString(locale),
            })
          : translate('members.change.fill')}
      </Typography>
    </FormDialog>
  );
}

interface PurseFieldProps {
  member: Member;
  value: string;
  onChange(policyId: string): void;
}

/** The purse that gets the points. */
function PurseField({ member, value, onChange }: PurseFieldProps) {
  const translate = useTranslate();
  return (
    <TextField
      select
      label={translate('members.page.purse')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {member.purses.map(({ policyId, name }) => (
        <MenuItem key={policyId} value={policyId}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
