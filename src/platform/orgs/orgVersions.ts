import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { type Org, orgResource } from '#records/users/org';
import type { MovedClock } from './orgClock';

/**
 * The versions of the definitions and rules of an org that are in force. They select the values that are cached in
 * memory.
 */
export interface OrgVersions extends MovedClock {
  /** The number of changes to definitions so far; absent means 0. */
  definitionsVersion?: number | undefined;
  /** Number of the rule set in force; absent before the first is published. */
  ruleSetVersion?: number | undefined;
  /** Folders with rule files of which no rule is in force in this version (see the org's field); absent: none. */
  unpublishedFolders?: readonly string[] | undefined;
  /** When the next scheduled rules come into force; absent: none are scheduled. */
  nextRulesFrom?: Date | undefined;
  /** Whether a sandbox is being made, emptied or removed: nobody writes in it. */
  isClosed?: boolean;
  /** An instant just before the versions were read, by the machine's clock. */
  readAt: Date;
}

/** How many milliseconds a batch may use versions that were read for a request. This saves the batch a command. */
const freshMs = 50;

/**
 * Returns the versions for a batch: the newest of those that were read for its requests, when that read is recent.
 * Returns undefined when the versions have to be read again, also when one of the requests has none.
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

/**
 * Reads the versions of an org.
 * @throws ServiceError 1500 when there is no such org
 */
export async function readOrgVersions(db: Connection, org: ObjectId, now: Date): Promise<OrgVersions> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!found) throw notFound('Org');
  return pickOrgVersions(found, now);
}

/** The versions of an org as it was read at an instant. */
export function pickOrgVersions(org: Partial<Org>, readAt: Date): OrgVersions {
  const { definitionsVersion, ruleSetVersion, unpublishedFolders, scheduledRules, sandbox } = org;
  const nextRulesFrom = scheduledRules?.[0]?.from;
  const versions = { definitionsVersion, ruleSetVersion, unpublishedFolders, nextRulesFrom, readAt };
  return sandbox ? { ...versions, aheadMs: sandbox.aheadMs, isClosed: sandbox.work !== undefined } : versions;
}

/** Values that a process caches for each org, made from its definitions, by the org's `definitionsVersion`. */
export interface VersionCache<T> {
  /** Returns the value made from definitions of the org at least as new as this version; absent means 0. */
  current(org: ObjectId, version: number | undefined): Promise<T>;
}

/** The most orgs with a cached value. */
const orgsMax = 1000;

/**
 * Caches what `load` makes from an org's definitions. The caller reads the version first; the definitions are read
 * after it. So a cached value is never older than its version. Every write of a definition makes a new version.
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
