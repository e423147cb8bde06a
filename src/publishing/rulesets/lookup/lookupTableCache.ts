import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { type LookupTable, type LookupTables, noLookupTables } from '#engine/rules/lookup/lookupTable';
import { loadLookupTable, lookupHashes } from './lookupTableStore';

/** Gives the lookup tables that rules of an org read. */
export type ReadLookupTables = (
  org: ObjectId,
  rules: readonly Pick<RuleDefinition, 'lookupTables'>[],
) => Promise<LookupTables>;

/** Maximum number of tables in the cache of a process. A table of 100,000 rows takes about 20 MB. */
const tablesMax = 20;

/**
 * A cache of lookup tables. Versions of a rule set that read equal tables share them in memory. A compiled rule set
 * holds its tables itself, also when this cache has dropped them.
 */
export function lookupTableCache(db: Connection): ReadLookupTables {
  const tables = new LRUCache<string, Promise<LookupTable>>({ max: tablesMax });
  const read = (org: ObjectId, hash: string) => {
    const key = `${org.toHexString()} ${hash}`;
    const known = tables.get(key);
    if (known) return known;
    const loaded = loadLookupTable(db, org, hash);
    tables.set(key, loaded);
    loaded.catch(() => tables.delete(key));
    return loaded;
  };
  return async (org, rules) => {
    const hashes = lookupHashes(rules);
    if (hashes.length === 0) return noLookupTables;
    return new Map(await Promise.all(hashes.map(async (hash) => [hash, await read(org, hash)] as const)));
  };
}
