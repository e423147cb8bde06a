import type { ObjectId } from 'bson';
import type { EscrowTerms, ExpiryTerms } from '../../records/points/terms';

/** What the ledger needs of a purse policy. */
export interface LedgerPolicy {
  _id: ObjectId;
  name: string;
  program: ObjectId;
  primary: boolean;
  overdraftLimit: number;
  clawback: 'full' | 'toZero' | 'pendingOnly';
  escrow?: EscrowTerms;
  expiry?: ExpiryTerms;
}
