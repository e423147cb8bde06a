import { result } from 'loyalty-client/loyaltyError';
import { anonymousClient } from '../api/anonymousClient';
import { currentSession, keepSession, lifeOf, type Session } from './session';

/** A session is renewed only when the user did something in this time, in milliseconds: pages ask by themselves too. */
const inputMaxAgeMs = 15 * 60_000;

let lastInputAt = Date.now();
for (const name of ['pointerdown', 'keydown']) {
  window.addEventListener(name, () => {
    lastInputAt = Date.now();
  });
}

let renewing = false;

/** Gets a new token when half of the life of the present one is over and the user is there. */
export function renewWhileUsed({ token }: Session): void {
  const now = Date.now();
  const { beginsAt, endsAt } = lifeOf(token);
  const isFresh = now < (beginsAt + endsAt) / 2;
  if (renewing || isFresh || now > endsAt || now - lastInputAt > inputMaxAgeMs) return;
  renewing = true;
  void renew(token).finally(() => {
    renewing = false;
  });
}

async function renew(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const renewed = await result(anonymousClient.POST('/api/v1/myaccount/renew', { headers })).catch(() => undefined);
  const session = currentSession();
  // Somebody may have signed out in the meantime.
  if (renewed && session?.token === token) keepSession({ ...session, token: renewed.token });
}
