import { LoyaltyError } from 'loyalty-client/loyaltyError';
import type { ServiceMessage } from '../../i18n/serviceMessage';

/** What the service says of one of these paths. */
export type FaultOf = (...paths: readonly string[]) => string | undefined;

/** Finds what the service has refused of a mapping by its path, in the language of the console. */
export function faultsIn(error: unknown, inLanguage: (message: ServiceMessage) => string): FaultOf {
  const faults = error instanceof LoyaltyError ? error.errors : [];
  return (...paths) => {
    const found = faults.find(({ path }) => paths.includes(path));
    return found && inLanguage(found);
  };
}
