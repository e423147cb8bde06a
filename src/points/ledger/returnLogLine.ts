import type { ObjectId } from 'bson';

/**
 * One thing that giving back did, for the log. `kept`: released before and left; `alreadyGone`: expired or taken by hand
 * before; `forgiven`: burned before, and nothing else could stand for it.
 */
export interface ReturnLogLine {
  did: 'restored' | 'debtLowered' | 'reversed' | 'becameDebt' | 'takenFromOthers' | 'forgiven' | 'kept' | 'alreadyGone';
  purse: string;
  points: number;
  accrualItem?: ObjectId;
}
