import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { escrowFaults, expiryFaults } from '#engine/points/ledger/termsFaults';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';

/** The most purse policies of a program. Each member stores a purse for every one of them. */
const policiesMax = 50;

/**
 * Checks rules of a purse policy that the schema cannot express: its escrow and expiry are complete, and its program
 * has room for it. The database checks that the name is unique in the program, and that one policy is primary.
 * @throws ServiceError 1200 naming every field in error
 */
export async function preparePolicy(body: Partial<PursePolicy>, context: OrgContext): Promise<Partial<PursePolicy>> {
  const faults = [
    ...escrowFaults(body.escrow),
    ...expiryFaults(body.expiry),
    // Only a creation names the program.
    ...(body.program ? await roomFaults(body.program, context) : []),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body;
}

async function roomFaults(program: PursePolicy['program'], { services, principal }: OrgContext): Promise<FieldError[]> {
  const policies = collectionOf(services.db, pursePolicyResource);
  if ((await policies.countDocuments({ org: principal.org, program }, readLocal)) < policiesMax) return [];
  return [{ path: 'program', kind: 'maxItems', ...message('programs.tooManyPolicies', { max: policiesMax }) }];
}
