import { ServiceError, unavailable } from '#base/common/errors';
import { type Failure, failure } from '#base/common/failure';
import { joinMessages, type Message, message, pickMessage } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { own, RunEnded } from '#base/db/leases/claimedWork';
import { requestIdOfImport } from '#platform/audit/requestIds';
import { atOrgTime, toMachineClock } from '#platform/orgs/orgClock';
import { readOrgVersions } from '#platform/orgs/orgVersions';
import { collectPermissions } from '#records/users/permissions';
import { userResource } from '#records/users/user';
import { FileFault } from '../file/fileFault';
import { openRows } from '../file/openRows';
import { readFile } from '../file/readFile';
import type { Import } from '../import';
import { importResource } from '../import';
import { importLimits } from '../importLimits';
import type { ImportContext, ImportServices } from '../kinds/importKind';
import { importKinds } from '../kinds/importKinds';
import { rowFieldsFor } from '../rowFieldsFor';
import { type BatchSize, createBatchSize } from './batchSize';
import { importBatch } from './importBatch';
import { plannedBatches } from './plannedBatches';
import { prefetch } from './prefetch';
import { GivesWay } from './recordRows';
import { markRepeated, repeatedKeys } from './repeatedKeys';
import { rowBatches } from './rowBatches';

/** How an import ended: as a whole, or because its file or its rows have too many faults. */
export type End = { status: 'Done' } | ({ status: 'Failed' } & Failure);

/** How a run continues and ends. */
export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** How many rows are written at once; by default as many as the kind has. */
  size?: BatchSize;
  /** Asked after each batch: whether another import has the turn. */
  givesWay?(): Promise<boolean>;
}

/** The size with which the batches of an import begin. */
export function importBatchSize({ kind, batchRows }: Pick<Import, 'kind' | 'batchRows'>): BatchSize {
  return createBatchSize(importKinds[kind].batchRows ?? importLimits.batchRows, batchRows);
}

/**
 * Runs an import from the row that it reached, batch by batch.
 * @throws RunEnded when it yields, is stopped, taken over or the process ends; errors of a store that is unavailable
 */
export async function runImport(services: ImportServices, job: Import, options: RunOptions = {}): Promise<End> {
  const { signal, size = importBatchSize(job), givesWay } = options;
  const kind = importKinds[job.kind];
  const { org } = job;
  try {
    const { definitionsVersion } = await readOrgVersions(services.db, org, services.clock.now());
    const definitions = await services.extDefinitions.current(org, definitionsVersion);
    const fields = rowFieldsFor(kind, definitions);
    const open = async () =>
      (await openRows(readFile(services, job, job.chunks), job.format, fields, job.mapping)).rows;
    // A dry run stores nothing, so it has to know the earlier rows of a key.
    const kept = job.dryRun ? await repeatedKeys(await open(), kind.knownBy) : undefined;
    const batches = rowBatches(markRepeated(await open(), kind.knownBy, kept), job.rows, kind.batchRows);
    const ready = plannedBatches(kind, batches, () => openImportContext(services, job));
    for await (const batch of prefetch(ready)) {
      if (signal?.aborted) throw new RunEnded();
      await importBatch(kind, job, batch, size);
      if (await hasTooManyFaults(services, job)) {
        return failedImport(message('imports.tooManyFailed', { max: importLimits.failedMax }));
      }
      if (await givesWay?.()) throw new GivesWay();
    }
    return { status: 'Done' };
  } catch (error) {
    if (error instanceof FileFault) return failedImport(error.fault);
    if (error instanceof ServiceError && error.details.errors) return failedImport(headerFault(error));
    throw error;
  }
}

/** The end of an import that failed. */
export function failedImport(fault: Message): End {
  return { status: 'Failed', ...failure(fault) };
}

function headerFault({ details: { errors = [] } }: ServiceError): Message {
  const faults = errors.map(({ path, ...fault }) =>
    path === '' ? pickMessage(fault) : message('imports.fieldFault', { path, fault: pickMessage(fault) }),
  );
  return message('imports.header', { faults: joinMessages('semicolon', faults) });
}

/** The context of a batch. Definitions and rights are those of its time. */
async function openImportContext(services: ImportServices, job: Import): Promise<ImportContext> {
  const { org, createdBy: userId } = job;
  const versions = await readOrgVersions(services.db, org, services.clock.now());
  // A sandbox that is being wiped or moved takes no writes.
  if (versions.isClosed) throw unavailable(message('imports.noWritesNow'));
  const atOrg = atOrgTime(services, versions);
  const definitions = await services.extDefinitions.current(org, versions.definitionsVersion);
  // What the author needed was checked when the import began.
  const needed = [...importKinds[job.kind].permissions, ...job.granted];
  const permissions = new Set([...needed, ...readPermissions(services)]);
  const auditor = { ...(await auditorOfImport(services, job)), versions };
  const principal = { org, userId, username: auditor.username, permissions, versions };
  const { clock } = atOrg;
  return {
    services: atOrg,
    principal,
    auditor,
    job,
    definitions,
    now: clock.now(),
    machineClock: toMachineClock(clock),
  };
}

/** Rows are written in the name of who sent the file; the request id leads to the import. */
async function auditorOfImport({ db }: ImportServices, { _id, org, createdBy: userId, ip }: Import) {
  const user = await collectionOf(db, userResource).findOne({ _id: userId }, { projection: { username: 1 } });
  const from = ip === undefined ? { via: 'host' as const } : { via: 'api' as const, ip };
  const requestId = requestIdOfImport(_id.toHexString());
  return { org, userId, username: user?.username ?? userId.toHexString(), requestId, ...from };
}

/** Some checks of references need to read what they name. */
function readPermissions({ resources }: ImportServices): string[] {
  return [...collectPermissions(['program-manager'], resources)].filter((permission) => permission.endsWith(':read'));
}

async function hasTooManyFaults({ db }: ImportServices, job: Import): Promise<boolean> {
  const found = await collectionOf(db, importResource).findOne(own(job), { projection: { failed: 1 } });
  if (!found) throw new RunEnded();
  return found.failed >= importLimits.failedMax;
}
