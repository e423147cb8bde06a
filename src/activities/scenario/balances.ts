import type { ScenarioWorld } from './scenarioWorld';

/** The points of a member at one point in time, by the name of the purse. */
export interface Balances {
  balance: Record<string, number>;
  available: Record<string, number>;
  escrowed: Record<string, number>;
  expired: Record<string, number>;
}

/** What the member of a scenario has now. */
export function memberBalances({ member: { purses } }: ScenarioWorld): Balances {
  const by = (value: (purse: (typeof purses)[number]) => number) =>
    Object.fromEntries(purses.map((purse) => [purse.name, value(purse)]));
  return {
    balance: by(({ balance }) => balance),
    available: by(({ availBalance }) => availBalance),
    escrowed: by(({ escrowsIn }) => escrowsIn),
    expired: by(({ expiredPoints }) => expiredPoints),
  };
}
