import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';

/** What a process keeps in memory of an org's definitions, by the org's `definitionsVersion`. */
export interface KeptByVersion<T> {
  /** What was made of the definitions of an org, at least as new as this version; absent means 0. */
  current(org: ObjectId, version: number | undefined): Promise<T>;
}

/** Orgs of which something is kept. */
const orgsMax = 1000;

/**
 * Keeps what `load` makes of an org's definitions. The caller reads the version first and the definitions are read
 * after, so what is kept is never older than its version; every write of a definition makes a new version.
 */
export function keepByVersion<T>(load: (org: ObjectId) => Promise<T>): KeptByVersion<T> {
  const kept = new LRUCache<string, { version: number; loaded: Promise<T> }>({ max: orgsMax });
  return {
    async current(org, version = 0) {
      const key = org.toHexString();
      const known = kept.get(key);
      if (known?.version === version) return known.loaded;
      const loaded = load(org);
      const entry = { version, loaded };
      kept.set(key, entry);
      loaded.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      return loaded;
    },
  };
}
