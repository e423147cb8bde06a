import type { ObjectId } from 'bson';

/**
 * One step of a return, for the log. `kept`: the points were released before and stay with the member. `alreadyGone`:
 * they expired or were removed by hand before. `forgiven`: they were burned before, and no other points could be
 * charged.
 */
export interface ReturnLogLine {
  did: 'restored' | 'debtLowered' | 'reversed' | 'becameDebt' | 'takenFromOthers' | 'forgiven' | 'kept' | 'alreadyGone';
  purse: string;
  points: number;
  accrualItem?: ObjectId;
}
