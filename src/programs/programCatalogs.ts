import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { loadProgramCatalog, type ProgramCatalog } from './programCatalog';

/** What processing keeps of an org's definitions, by the org's `definitionsVersion`. */
export interface ProgramCatalogs {
  /** The catalog of an org at least as new as this version; absent means 0. */
  current(org: ObjectId, version: number | undefined): Promise<ProgramCatalog>;
}

/** Orgs whose catalogs are kept. */
const catalogsMax = 1000;

/**
 * Makes the catalogs of a process. The caller reads the version first and the definitions are read after, so a catalog
 * is never older than its version; every write of a definition makes a new version.
 */
export function createProgramCatalogs(db: Connection): ProgramCatalogs {
  const kept = new LRUCache<string, { version: number; catalog: Promise<ProgramCatalog> }>({ max: catalogsMax });
  return {
    async current(org, version = 0) {
      const key = org.toHexString();
      const known = kept.get(key);
      if (known?.version === version) return known.catalog;
      const catalog = loadProgramCatalog(db, org);
      const entry = { version, catalog };
      kept.set(key, entry);
      catalog.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      return catalog;
    },
  };
}
