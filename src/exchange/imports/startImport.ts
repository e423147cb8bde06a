import type { Readable } from 'node:stream';
import type { ClientSession } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { invalidField, malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { type InCommit, inTransaction, withRetries } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import { type Auditor, requestAuditor } from '#platform/audit/auditor';
import { requirePermission } from '#platform/auth/authenticate';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import type { Answer, Received, Request } from '#platform/http/route';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import { readOrgVersions } from '#platform/orgs/orgVersions';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { visible } from '#platform/recordWrites/storedRecord';
import { type ImportKindName, importKindNames } from '#records/imports/importKindNames';
import type { Mapping } from '#records/imports/mappingShape';
import { FileFault } from './file/fileFault';
import { type OpenRows, openRows } from './file/openRows';
import { readFile } from './file/readFile';
import { receiveFile, releaseFile, type StoredFile, takeFile } from './file/receiveFile';
import { type FileFormat, fileFormats, type Import, importResource } from './import';
import { importLimits } from './importLimits';
import { importKinds } from './kinds/importKinds';
import { type RequestedMapping, readRequestedMapping, wholeMapping } from './mapping/readMapping';
import { rowFieldsFor } from './rowFieldsFor';

/** The media types of the formats. */
export const mediaTypes: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** What is imported, and how. */
export interface ImportOptions {
  kind: ImportKindName;
  format: FileFormat;
  dryRun: boolean;
  /** How the columns of the file are understood. */
  mapping?: RequestedMapping;
}

/**
 * Receives the file of `POST /imports`, once it is known that it may be imported.
 * @throws ServiceError 1210 for arguments, 1250 for the media type, 1130 without the permissions of the kind, and those
 *   of `receiveFile`
 */
export async function receiveImport(request: Request, stream: Readable): Promise<Received> {
  const { services, principal, headers } = request;
  const options = readOptions(request.query, headers['content-type']);
  for (const permission of importKinds[options.kind].permissions) requirePermission(principal, permission);
  const file = await receiveFile(services, principal, stream);
  return {
    body: { ...options, file },
    fingerprint: { sha256: file.sha256 },
    release: () => releaseFile(services, file),
  };
}

function readOptions(query: Record<string, string>, contentType = ''): ImportOptions {
  const kind = importKindNames.find((each) => each === query.kind);
  if (!kind) throw malformed(message('exchange.kindValues', { kinds: importKindNames.join(', ') }));
  const sent = fileFormats.find((each) => mediaTypes[each] === contentType.split(';')[0]?.trim().toLowerCase());
  if (!sent) {
    throw new ServiceError(
      'unsupportedMediaType',
      message('http.bodyType', { types: Object.values(mediaTypes).join(' or ') }),
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw new ServiceError('unsupportedMediaType', message('imports.fileCharset'));
  if (query.format !== undefined && query.format !== sent)
    throw malformed(message('imports.formatOfMediaType', { sent }));
  return { kind, format: sent, dryRun: query.dryRun === 'true', mapping: readRequestedMapping(query, sent) };
}

/** `POST /imports`: queues the import of a file that was received. A worker runs it. */
export async function startImport(request: Request): Promise<Answer> {
  const { services, principal, body } = request;
  const { file, ...options } = body as ImportOptions & { file: StoredFile };
  const answer = (job: Import): Answer => ({
    status: 202,
    body: visible(importResource, job),
    headers: { Location: `/api/v1/imports/${job._id.toHexString()}` },
  });
  const author = { ...requestAuditor(request), permissions: principal.permissions };
  return keptAnswer(request, answer, (inCommit) => beginImport(services, author, { ...options, file }, inCommit));
}

type Author = Auditor & Pick<Request['principal'], 'permissions'>;

/**
 * Stores the import of a stored file, so that a worker runs it. The audit log gets it, unless it is a dry run.
 * @throws ServiceError 1200 naming every fault of the header; 1130 when a column needs a permission; 1310 when the file
 *   was released meanwhile
 */
export async function beginImport(
  services: Pick<Infrastructure, 'db' | 'clock' | 'extDefinitions'>,
  author: Author,
  { kind, format, dryRun, mapping: requested = { mapping: {} }, file }: ImportOptions & { file: StoredFile },
  inCommit?: InCommit<Import>,
): Promise<Import> {
  const { db, clock } = services;
  const mapping = await wholeMapping(db, author.org, kind, requested);
  const { ignored, columns } = await checkHeader(services, author, { kind, format, file }, mapping);
  const now = clock.now();
  const { bytes, chunks, sha256, _id } = file;
  const job: Import = {
    ...newStamps(author, now, _id),
    kind,
    format,
    dryRun,
    status: 'Running',
    bytes,
    chunks,
    bytesRead: 0,
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    attempts: 0,
    ...(Object.keys(mapping).length > 0 ? { mapping } : {}),
    ...(ignored.length > 0 ? { ignored: [...ignored] } : {}),
    ...(columns.length > 0 ? { columns: [...columns] } : {}),
    ...(author.ip === undefined ? {} : { ip: author.ip }),
    granted: importKinds[kind].sometimes.filter((permission) => author.permissions.has(permission)),
    keptUntil: new Date(toMachineClock(clock).now().getTime() + importLimits.keptDays * dayMs),
  };
  const change = { action: 'import', resource: importResource.path, id: _id, after: { kind, format, bytes, sha256 } };
  const store = async (session: ClientSession) => {
    await takeFile({ db }, session, job);
    await collectionOf(db, importResource).insertOne(job, { session });
    await audit(db, session, author, toMachineClock(clock).now(), dryRun ? [] : [change]);
    await inCommit?.(job, session);
  };
  await serializedPerOrg(db, author.org, () => withRetries(() => inTransaction(db, store), {}));
  return job;
}

/** Reads the header of a file. */
async function checkHeader(
  services: Pick<Infrastructure, 'db' | 'clock' | 'extDefinitions'>,
  { org, permissions }: Author,
  { kind, format, file }: Pick<ImportOptions, 'kind' | 'format'> & { file: StoredFile },
  mapping: Mapping,
): Promise<Pick<OpenRows, 'ignored' | 'columns'>> {
  const { definitionsVersion } = await readOrgVersions(services.db, org, services.clock.now());
  const fields = rowFieldsFor(importKinds[kind], await services.extDefinitions.current(org, definitionsVersion));
  try {
    // The run reads the rows, and reports what it finds in them.
    const beginning = readFile(services, file, Math.min(file.chunks, 2));
    const { columns, ignored, fields: named } = await openRows(beginning, format, fields, mapping);
    const { permissionOf } = importKinds[kind];
    const missing = named.map((column) => permissionOf?.(column)).find((each) => each && !permissions.has(each));
    if (missing) throw new ServiceError('forbidden', message('auth.permissionNeeded', { permission: missing }));
    return { ignored, columns };
  } catch (error) {
    if (error instanceof FileFault) throw invalidField('header', 'format', error.fault);
    throw error;
  }
}
