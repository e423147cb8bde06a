interface ShownPurse {
  balance: number;
  availBalance: number;
  escrowsIn: number;
}

interface ShownLot {
  _id: string;
  accruedPoints: number;
  escrowedPoints: number;
  availablePoints: number;
  burnedPoints: number;
  expiredPoints: number;
  reversedPoints: number;
}

interface ShownEntry {
  purse: string;
  seq: number;
  points: number;
  balanceAfter: number;
}

/** A sentence for each purse of an answer that is not the sum of its parts. */
export const tornPurses = (purses: readonly ShownPurse[]) =>
  purses
    .filter(({ balance, availBalance, escrowsIn }) => balance !== availBalance + escrowsIn)
    .map((purse) => `a purse is not the sum of its parts: ${JSON.stringify(purse)}`);

/** A sentence for each accrual item of an answer that is not the sum of its parts. */
export const tornLots = (lots: readonly ShownLot[]) =>
  lots
    .filter((lot) => lot.accruedPoints !== partsOf(lot))
    .map((lot) => `item ${lot._id} is not the sum of its parts: ${JSON.stringify(lot)}`);

const partsOf = (lot: ShownLot) =>
  lot.escrowedPoints + lot.availablePoints + lot.burnedPoints + lot.expiredPoints + lot.reversedPoints;

/**
 * A sentence for each entry of a statement that does not follow the one before it, of its purse, with the balance that it
 * left.
 */
export function tornEntries(entries: readonly ShownEntry[]): string[] {
  const balances = new Map<string, number>();
  return entries.flatMap(({ purse, points, balanceAfter, seq }) => {
    const before = balances.get(purse);
    balances.set(purse, balanceAfter);
    const isRight = before === undefined || before + points === balanceAfter;
    return isRight ? [] : [`entry ${seq} of purse ${purse} has ${points} points and leaves ${balanceAfter}`];
  });
}
