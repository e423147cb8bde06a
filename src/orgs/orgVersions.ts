import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { notFound } from '../common/errors';
import { collectionOf } from '../db/collections';
import { orgResource } from '../records/users/org';

/** Which definitions and rules of an org are in force: what is kept of them in memory is looked up by these. */
export interface OrgVersions {
  /** How often definitions had changed; absent means 0. */
  definitionsVersion?: number | undefined;
  /** Number of the rule set in force; absent before the first is published. */
  ruleSetVersion?: number | undefined;
  /** A moment before they were read. */
  readAt: Date;
}

/** How long versions that were read for a request are good enough for a batch; it saves the batch a command. */
const freshMs = 50;

/**
 * The versions that a batch goes by, of those that were read for each of its requests: the newest, when it was just
 * read. Undefined when they are to be read again, as when one of the requests came without.
 */
export function freshVersions(ofRequests: readonly (OrgVersions | undefined)[], now: Date): OrgVersions | undefined {
  let newest: OrgVersions | undefined;
  for (const versions of ofRequests) {
    if (!versions) return undefined;
    if (!newest || versions.readAt > newest.readAt) newest = versions;
  }
  const ageMs = newest ? now.getTime() - newest.readAt.getTime() : Number.POSITIVE_INFINITY;
  return ageMs >= 0 && ageMs <= freshMs ? newest : undefined;
}

/** Reads the versions of an org. @throws ServiceError 404 when there is no such org */
export async function readOrgVersions(db: Connection, org: ObjectId, now: Date): Promise<OrgVersions> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!found) throw notFound('Org');
  const { definitionsVersion, ruleSetVersion } = found;
  return { definitionsVersion, ruleSetVersion, readAt: now };
}

/** What a process keeps in memory of an org's definitions, by the org's `definitionsVersion`. */
export interface VersionCache<T> {
  /** What was made of the definitions of an org, at least as new as this version; absent means 0. */
  current(org: ObjectId, version: number | undefined): Promise<T>;
}

/** Orgs of which something is kept. */
const orgsMax = 1000;

/**
 * Keeps what `load` makes of an org's definitions. The caller reads the version first and the definitions are read
 * after, so what is kept is never older than its version; every write of a definition makes a new version.
 */
export function createVersionCache<T>(load: (org: ObjectId) => Promise<T>): VersionCache<T> {
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
