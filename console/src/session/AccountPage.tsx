import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { LoyaltyError, result } from 'loyalty-client/loyaltyError';
import { type FormEvent, useRef } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { anonymousClient } from '../api/anonymousClient';
import { faultText } from '../api/faultText';
import { PageHeading } from '../app/PageHeading';
import { currentSession } from './session';

/** The page of the user's own account: who they are, and a form to change the password. */
export function AccountPage() {
  const translate = useTranslate();
  const { username = '', isOidc = false } = currentSession() ?? {};
  return (
    <>
      <PageHeading title={translate('account.title')} text={username} />
      <Card sx={{ p: 2, maxWidth: 480 }}>
        {isOidc ? <Alert severity="info">{translate('account.oidc')}</Alert> : <PasswordForm username={username} />}
      </Card>
    </>
  );
}

/** A wrong present password is a 401 too, so this request does not ask to sign in again. */
function changePassword(body: { currentPassword: string; newPassword: string }) {
  const headers = { Authorization: `Bearer ${currentSession()?.token}` };
  return result(anonymousClient.POST('/api/v1/users/me/password', { body, headers }));
}

function PasswordForm({ username }: { username: string }) {
  const translate = useTranslate();
  const notify = useNotify();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      form.current?.reset();
      notify('account.changed', { type: 'success' });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const field = (name: string) => String(entered.get(name) ?? '');
    mutate({ currentPassword: field('current'), newPassword: field('new') });
  };
  // A wrong present password is answered like a failed login.
  const isWrong = error instanceof LoyaltyError && error.code === 1110;
  return (
    <Stack component="form" ref={form} onSubmit={submit} spacing={2}>
      {error ? (
        <Alert severity="error">{isWrong ? translate('account.wrong') : faultText(error, translate)}</Alert>
      ) : null}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextField
        name="current"
        type="password"
        label={translate('account.current')}
        autoComplete="current-password"
        required
        fullWidth
      />
      <TextField
        name="new"
        type="password"
        label={translate('account.new')}
        helperText={translate('account.rule')}
        autoComplete="new-password"
        required
        fullWidth
        slotProps={{ htmlInput: { minLength: 10, maxLength: 200 } }}
      />
      <Button type="submit" variant="contained" loading={isPending} sx={{ alignSelf: 'flex-start' }}>
        {translate('account.change')}
      </Button>
    </Stack>
  );
}
