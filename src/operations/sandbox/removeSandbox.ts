import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { timeouts } from '#base/db/timeouts';
import type { Resource } from '#base/schema/resource';
import { orgResource } from '#records/users/org';
import { sessionResource } from '#records/users/session';
import { userResource } from '#records/users/user';
import { deleteRecords } from './deleteRecords';
import { requireSandbox } from './requireSandbox';
import { takeLease } from './sandboxLease';
import { wipedResources } from './wipedResources';
import type { WipeOptions, WipeServices } from './wipeSandbox';

/**
 * Deletes a sandbox with all that belongs to it. Its users are signed out first. A removal that was killed continues with
 * the timer `sandbox`, or with the next call.
 * @throws ServiceError 1500 when the org is no sandbox; 1270 while its clock is being moved or it is being wiped
 */
export async function removeSandbox(
  services: WipeServices,
  org: ObjectId,
  onDeleted?: WipeOptions['onDeleted'],
): Promise<void> {
  const { db, resources } = services;
  await requireSandbox(db, org);
  const lease = await takeLease(services, org, {}, { set: { 'sandbox.work': 'remove' } });
  try {
    for (const all of [[sessionResource, userResource], inOrder(resources)]) {
      for (const resource of all) {
        const count = await deleteRecords(db, resource, org, () => lease.change({}));
        if (count > 0) onDeleted?.(resource.path, count);
      }
    }
    // Requests that were admitted before may have written since.
    await sleep(timeouts.requestMs);
    for (const resource of inOrder(resources)) await deleteRecords(db, resource, org, () => lease.change({}));
    await collectionOf(db, orgResource).deleteOne({ _id: org, sandbox: { $exists: true } });
  } finally {
    await lease.release();
  }
}

/** Every resource but the org itself, what is wiped first. */
function inOrder(resources: readonly Resource[]): Resource[] {
  const wiped = wipedResources(resources);
  return [...wiped, ...resources.filter((each) => !wiped.includes(each) && each.name !== orgResource.name)];
}
