import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { programResource } from '#records/programs/program';
import type { Org } from '#records/users/org';

/** Codes of the programs of an org that have rule files, but no rule in force. Sorted. */
export async function programsWithoutRules(
  db: Connection,
  { _id, unpublishedFolders = [] }: Pick<Org, '_id' | 'unpublishedFolders'>,
): Promise<string[]> {
  if (unpublishedFolders.length === 0) return [];
  const query = { org: _id, code: { $in: unpublishedFolders } };
  return (await collectionOf(db, programResource).distinct('code', query)).sort();
}
