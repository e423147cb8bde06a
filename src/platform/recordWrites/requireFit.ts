import { validationError } from '#base/common/errors';
import type { Resource } from '#base/schema/resource';
import type { ReadExt } from './readExt';
import { referenceFaults } from './referenceFaults';
import type { OrgContext } from './writeContext';

/**
 * Refuses extension fields that do not fit and references to missing records, all in one answer. For a definition it
 * runs again inside the transaction, and so does `prepare`, which checks what the body names by strings. Only one
 * transaction at a time changes definitions of an org, so the records that exist then stay until the commit.
 * @throws ServiceError 1200
 */
export async function requireFit(resource: Resource, { body, faults }: ReadExt, context: OrgContext): Promise<void> {
  const all = [...faults, ...(await referenceFaults(resource, body, context))];
  if (all.length > 0) throw validationError(all);
}
