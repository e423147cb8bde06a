import type { ObjectId } from 'bson';
import type { Ledger } from './ledger';
import type { Lot } from './lot';

/**
 * Repays the debt of a purse from its available points in burn order, as far as they go (DESIGN 9).
 * @param only the one lot that can hold available points when the others are not loaded: a purse in debt has no other
 */
export function repayDebt(ledger: Ledger, purse: ObjectId, only?: Lot): void {
  if (ledger.purse(purse).debt === 0) return;
  const lots = ledger.lots.isLoaded || !only ? [...ledger.lots.available(purse)] : [only];
  for (const lot of lots) {
    const points = Math.min(lot.availablePoints, ledger.purse(purse).debt);
    if (points === 0) continue;
    const parts = { availablePoints: -points, burnedPoints: points, repaidPoints: points };
    ledger.post({ purse, kind: 'repay', lot, parts, debt: -points });
  }
}
