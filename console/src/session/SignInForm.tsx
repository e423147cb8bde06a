import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { signInFault } from './signInFault';

interface SignInFormProps {
  /** The only user who may sign in here; absent: any. */
  username?: string;
  /** @throws what the service refused with */
  onSignIn(username: string, password: string): Promise<unknown>;
}

/** The form with name and password. It says why the service refused them. */
export function SignInForm({ username: fixed, onSignIn }: SignInFormProps) {
  const translate = useTranslate();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const field = (name: string) => String(entered.get(name) ?? '');
    setBusy(true);
    try {
      await onSignIn(fixed ?? field('username'), field('password'));
    } catch (error) {
      setFault(signInFault(error, translate));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack component="form" onSubmit={submit} spacing={2} noValidate={false}>
      {fault ? <Alert severity="error">{fault}</Alert> : null}
      <TextField
        name="username"
        label={translate('signIn.username')}
        autoComplete="username"
        autoCapitalize="none"
        {...(fixed === undefined
          ? { autoFocus: true }
          : { value: fixed, slotProps: { htmlInput: { readOnly: true } } })}
        required
        fullWidth
        size="medium"
      />
      <TextField
        name="password"
        label={translate('signIn.password')}
        type="password"
        autoComplete="current-password"
        autoFocus={fixed !== undefined}
        required
        fullWidth
        size="medium"
      />
      <Button type="submit" variant="contained" size="large" loading={isBusy} fullWidth>
        {translate('signIn.submit')}
      </Button>
    </Stack>
  );
}
