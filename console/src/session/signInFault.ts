import { LoyaltyError } from 'loyalty-client/loyaltyError';

type Translate = (key: string) => string;

const byStatus: Record<number, string> = { 401: 'wrong', 403: 'noRole', 429: 'often', 503: 'away' };

/** Says why nobody was signed in, and what to do. */
export function signInFault(error: unknown, translate: Translate): string {
  if (!(error instanceof LoyaltyError)) return translate('signIn.fault.lost');
  return translate(`signIn.fault.${byStatus[error.status] ?? 'away'}`);
}

/** Says why a sign-in at the OpenID provider failed, by the status that the service answered. */
export function providerFault(status: number, translate: Translate): string {
  return translate(`signIn.fault.${status === 401 ? 'begin' : (byStatus[status] ?? 'away')}`);
}
