import type { Connection } from 'mongoose';
import { createVersionCache, type VersionCache } from '#platform/orgs/orgVersions';
import { loadProgramCatalog, type ProgramCatalog } from './programCatalog';

/** The cached program catalog of each org, by the version of its definitions. */
export type ProgramCatalogs = VersionCache<ProgramCatalog>;

/** Makes the cache of program catalogs of a process. */
export function createProgramCatalogs(db: Connection): ProgramCatalogs {
  return createVersionCache((org) => loadProgramCatalog(db, org));
}
