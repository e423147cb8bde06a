import type { Connection } from 'mongoose';

/**
 * Collections that are about running processes, or that the service makes again. A restored service begins without them.
 */
const passing = ['locks', 'processes', 'deferredindexes', 'partitions', 'leases', 'peers'];

/** Collections that only belong into a backup with secrets: who is logged in. */
const secret = ['sessions'];

/** The names of the collections that a backup holds. Views have no documents of their own. */
export async function savedCollections(db: Connection, { withSecrets }: { withSecrets: boolean }): Promise<string[]> {
  const left = new Set(withSecrets ? passing : [...passing, ...secret]);
  const all = await db.listCollections();
  return all
    .filter(({ name, type }) => type !== 'view' && !name.startsWith('system.') && !left.has(name))
    .map(({ name }) => name)
    .sort();
}
