import type { ObjectId } from 'bson';
import type { ExpiryTerms } from '#records/points/expiry/expiryTerms';
import type { EscrowTerms } from '#records/points/terms';

/** The fields of a purse policy that the ledger needs. */
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
