import { ObjectId } from 'bson';
import { derivedId } from '#base/db/records';
import type { LedgerPolicy } from '#engine/points/ledger/ledgerPolicy';

/** The member and program that tests of the ledger use. */
export const member = { _id: derivedId('member', 'anna'), program: derivedId('program', 'main') };

/** A purse policy with its id made from its name. */
export function policyNamed(name: string, fields: Partial<LedgerPolicy> = {}): LedgerPolicy {
  return {
    _id: derivedId('policy', name),
    name,
    program: member.program,
    primary: false,
    overdraftLimit: 0,
    clawback: 'full',
    ...fields,
  };
}

/** The policy `Points` without escrow, expiry or overdraft. */
export const points = policyNamed('Points', { primary: true });

/** The instant this number of minutes after noon of 1 March 2025 UTC. */
export function minute(minutes: number): Date {
  return new Date(Date.UTC(2025, 2, 1, 12) + minutes * 60_000);
}

export function someId(): ObjectId {
  return new ObjectId();
}
