import type { ObjectId } from 'bson';
import { type ClaimServices, createClaimedRuns } from '#base/db/claimedRuns';
import { collectionOf } from '#base/db/collections';
import { type Import, importResource } from '../import';
import { importLimits } from '../importLimits';

/** The imports that this process runs. */
export const importRuns = createClaimedRuns({
  collection: (db) => db.collection(importResource.path),
  statuses: ['Running'],
  backStatus: 'Running',
  silentMaxMs: importLimits.silentMaxMs,
  atOnce: importLimits.atOnce,
});

/** Takes the import whose turn it is. */
export async function claimImport(services: ClaimServices, only?: ObjectId): Promise<Import | undefined> {
  const claimed = await importRuns.claim(services, only);
  if (!claimed?.run) return undefined;
  const { _id, org, run } = claimed;
  const job = await collectionOf(services.db, importResource).findOne({ _id, org, run });
  // It was deleted, or stopped, meanwhile.
  if (!job) importRuns.forget(claimed);
  return job ?? undefined;
}
