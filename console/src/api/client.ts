import { createLoyaltyClient } from 'loyalty-client/client';
import { renewWhileUsed } from '../session/renewal';
import { currentSession } from '../session/session';
import { SignedOut, signInAgain } from '../session/signInAgain';

/**
 * The client of the API that all pages use, as the user who is signed in. A request that the service refuses because
 * the session has ended waits until the user has signed in again, and is then sent again.
 */
export const client = createLoyaltyClient({
  url: location.origin,
  credentials: {
    async present() {
      const session = currentSession();
      if (!session) throw new SignedOut('Nobody is signed in');
      renewWhileUsed(session);
      return session.token;
    },
    renewed: signInAgain,
  },
  // Reports and jobs may take two minutes.
  retries: { attemptsMax: 3, timeoutMs: 130_000 },
});
