import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslate } from 'react-admin';
import { SignInForm } from './SignInForm';
import { currentSession, keepSession } from './session';
import { oidcAddress, signIn } from './signIn';
import { endWaiting, isWaiting, onWaiting } from './signInAgain';
import { channelName, type TabMessage } from './tabChannel';

/** The dialog over a page after its session has ended. What was typed stays; waiting requests are sent again. */
export function SignInAgain() {
  const isOpen = useSyncExternalStore(onWaiting, isWaiting);
  const translate = useTranslate();
  const session = currentSession();
  if (!isOpen || !session) return null;
  const { username, isOidc } = session;
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby="sign-in-again">
      <DialogTitle id="sign-in-again">{translate('signIn.again.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <Typography>{translate('signIn.again.text')}</Typography>
          {isOidc ? <AtProvider /> : <SignInForm username={username} onSignIn={again} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => endWaiting(undefined)}>{translate('signIn.again.leave')}</Button>
      </DialogActions>
    </Dialog>
  );
}

async function again(username: string, password: string): Promise<void> {
  const { token } = await signIn(username, password);
  endWaiting(token);
}

/** Signs in in another tab, which sends its session here. */
function AtProvider() {
  const translate = useTranslate();
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      const { username } = currentSession() ?? {};
      if (data.session.username !== username) return;
      keepSession(data.session);
      endWaiting(data.session.token);
    };
    return () => channel.close();
  }, []);
  return (
    <Button variant="contained" href={oidcAddress('/console/signed-in')} target="_blank" rel="noopener">
      {translate('signIn.oidc')}
    </Button>
  );
}
