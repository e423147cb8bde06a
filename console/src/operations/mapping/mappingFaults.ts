import { LoyaltyError } from 'loyalty-client/loyaltyError';

/** What the service says of one of these paths. */
export type FaultOf = (...paths: readonly string[]) => string | undefined;

/** Finds what the service has refused of a mapping by its path, said in the language of the console. */
export function faultsIn(error: unknown, said: (text: string) => string): FaultOf {
  const faults = error instanceof LoyaltyError ? error.errors : [];
  return (...paths) => {
    const found = faults.find(({ path }) => paths.includes(path));
    return found && said(found.message);
  };
}
