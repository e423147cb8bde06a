import type { Connection } from 'mongoose';
import { type KeptByVersion, keepByVersion } from '../orgs/orgVersions';
import { loadProgramCatalog, type ProgramCatalog } from './programCatalog';

/** The programs and purse policies that processing keeps of each org. */
export type ProgramCatalogs = KeptByVersion<ProgramCatalog>;

/** Makes the catalogs of a process. */
export function createProgramCatalogs(db: Connection): ProgramCatalogs {
  return keepByVersion((org) => loadProgramCatalog(db, org));
}
