import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { SignedOut } from '../../session/signInAgain';

/** Statuses by which the service says that it has not looked: another try may have an answer. */
const oftenStatus = 429;
const serviceFaultsFrom = 500;

/** Tells a read that has no answer, because of the connection or the service, from one that the service refused. */
export function isUnreached(error: unknown): boolean {
  if (!error || error instanceof SignedOut) return false;
  if (!(error instanceof LoyaltyError)) return true;
  return error.status === oftenStatus || error.status >= serviceFaultsFrom;
}
