import Container from '@mui/material/Container';
import { useEffect } from 'react';
import { MessagePage } from '../app/MessagePage';
import { currentSession } from './session';
import { channelName, type TabMessage } from './tabChannel';

/** The end of a sign-in at the OpenID provider that another tab began: it notifies that tab, and can be closed. */
export function SignedInTab() {
  useEffect(() => {
    const session = currentSession();
    if (!session) return;
    const channel = new BroadcastChannel(channelName);
    channel.postMessage({ session } satisfies TabMessage);
    channel.close();
    window.close();
  }, []);
  return (
    <Container component="main">
      <MessagePage name="signedIn" />
    </Container>
  );
}
