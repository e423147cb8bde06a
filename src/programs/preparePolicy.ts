import { type FieldError, validationError } from '../common/errors';
import { collectionOf } from '../db/collections';
import type { Request } from '../http/route';
import { escrowFaults, expiryFaults } from '../points/ledger/termsFaults';
import { type PursePolicy, pursePolicyResource } from '../records/programs/pursePolicy';

/** Purse policies that a program has at most: each member carries a purse for every one. */
const policiesMax = 50;

/**
 * Checks what the schema cannot say of a purse policy: its terms are complete, and its program has room for it. That
 * its name and being primary are its own in the program is checked by the database.
 * @throws ServiceError 1200 naming every field in error
 */
export async function preparePolicy(body: Partial<PursePolicy>, request: Request): Promise<Partial<PursePolicy>> {
  const faults = [
    ...escrowFaults(body.escrow),
    ...expiryFaults(body.expiry),
    // Only a creation names the program.
    ...(body.program ? await roomFaults(body.program, request) : []),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body;
}

async function roomFaults(program: PursePolicy['program'], { services, principal }: Request): Promise<FieldError[]> {
  const policies = collectionOf(services.db, pursePolicyResource);
  if ((await policies.countDocuments({ org: principal.org, program })) < policiesMax) return [];
  return [{ path: 'program', kind: 'maxItems', message: `has ${policiesMax} purse policies already` }];
}
