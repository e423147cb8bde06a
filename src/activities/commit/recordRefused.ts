import type { ClientSession, Connection } from 'mongoose';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { collectionOf, insertAll, updateAll } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { buildRefusedActivity, refusedActivityResource } from '#records/activities/refusedActivity';
import { buildImportError, importErrorResource, importsPath } from '#records/imports/importError';
import type { FailedRow, Plan } from './plan';

/** The parts of a plan about activities that were accepted and then failed. */
export type Refusals = Pick<Plan, 'org' | 'now' | 'refused' | 'failedRows'>;

/**
 * Stores submissions that were refused without a history, so that support finds them, and the rows of imports whose
 * activities have an error.
 */
export async function recordRefused(db: Connection, session: ClientSession, refusals: Refusals): Promise<void> {
  const { now, refused, failedRows } = refusals;
  // Nobody asks support about activities that the service posts itself.
  const posted = refused.filter(({ key }) => !key.startsWith(ownKeyPrefix));
  if (posted.length > 0) await storeRefused(db, session, refusals.org, now, posted);
  if (failedRows.length > 0) await failRows(db, session, refusals);
}

async function storeRefused(
  db: Connection,
  session: ClientSession,
  org: Plan['org'],
  now: Date,
  refused: Plan['refused'],
): Promise<void> {
  const stored = refused.map(({ id, author, ...each }) => ({
    ...newStamps(author, now, id),
    ...buildRefusedActivity(id, each),
  }));
  // When the worker of an import was killed, the same row may be accepted and refused again, with the same id.
  const ids = { org, _id: { $in: stored.map(({ _id }) => _id) } };
  await collectionOf(db, refusedActivityResource).deleteMany(ids, { session });
  await insertAll(db, session, refusedActivityResource.path, stored);
}

/**
 * Stores the failed rows of imports, each once. In the counts of its import, such a row moves from `created` to
 * `failed`.
 */
async function failRows(db: Connection, session: ClientSession, { org, now, failedRows }: Refusals): Promise<void> {
  const failed = failedRows.map(({ author, row, errors }) => buildImportError(author, now, row, errors));
  const known = await collectionOf(db, importErrorResource)
    .find({ org, _id: { $in: failed.map(({ _id }) => _id) } }, { session, projection: { _id: 1 } })
    .toArray();
  const fresh = failed.filter(({ _id }) => !known.some((each) => each._id.equals(_id)));
  const counts = new Map<string, { id: FailedRow['row']['import']; rows: number }>();
  for (const { import: id } of fresh) {
    counts.set(id.toHexString(), { id, rows: (counts.get(id.toHexString())?.rows ?? 0) + 1 });
  }
  await insertAll(db, session, importErrorResource.path, fresh);
  const updates = [...counts.values()].map(({ id, rows }) => ({
    q: { _id: id, org },
    u: { $inc: { failed: rows, created: -rows }, $currentDate: { updatedAt: true } },
  }));
  await updateAll(db, session, importsPath, updates);
}
