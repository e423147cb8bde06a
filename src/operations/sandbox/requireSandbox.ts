import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { type Org, orgResource, type Sandbox } from '#records/users/org';

/** An org that is a sandbox. */
export type SandboxOrg = Org & { sandbox: Sandbox };

/**
 * Reads an org that must be a sandbox.
 * @throws ServiceError 1500 when it is none: what sandboxes may do must not happen to a real org
 */
export async function requireSandbox(db: Connection, org: ObjectId): Promise<SandboxOrg> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org });
  if (found && isSandbox(found)) return found;
  throw new ServiceError('notFound', message('sandbox.noSandbox'));
}

/** Tells whether an org is a sandbox. */
export function isSandbox(org: Org): org is SandboxOrg {
  return org.sandbox !== undefined;
}
