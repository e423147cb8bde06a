import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Binary, ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { malformed, ServiceError, unavailable } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { isAlive, isOver, literals } from '#base/db/leases/lease';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { timeouts } from '#base/db/timeouts';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import { importResource } from '../import';
import { importLimits } from '../importLimits';
import { importChunkResource, importUploadResource } from './importFiles';

type Stores = Pick<Infrastructure, 'db' | 'clock'>;
type FileServices = Stores & Pick<Infrastructure, 'config'>;

/** The id that an upload and its import have, and their org. */
export interface FileOfOrg {
  _id: ObjectId;
  org: ObjectId;
}

/** A file that is stored as a whole. */
export interface StoredFile extends FileOfOrg {
  bytes: number;
  chunks: number;
  /** SHA-256 of the content. */
  sha256: string;
}

/**
 * Stores a file in parts while it arrives. A file that breaks off leaves nothing.
 * @param least the pace below which the file is refused; only tests that cannot wait give their own
 * @throws ServiceError 1260 when the org has too many files; 1240 when the file is too large; 1210 when it is empty or
 *   comes too slowly
 */
export async function receiveFile(
  services: FileServices,
  author: Author,
  stream: Readable,
  least: LeastPace = importLimits,
): Promise<StoredFile> {
  const _id = new ObjectId();
  await requireFewOpenImports(services, author);
  const now = toMachineClock(services.clock).now();
  const file = { _id, org: author.org };
  const { _id: _own, org: _org, ...stamps } = newStamps(author, now, _id);
  const begun = { ...literals({ ...stamps, bytes: 0 }), aliveAt: '$$NOW' };
  await collectionOf(services.db, importUploadResource).updateOne(file, [{ $set: begun }], { upsert: true });
  const pace = keepPace(stream, least, () => void tellAlive(services, file).catch(() => undefined));
  try {
    return await storeParts(services, author, _id, stream, pace.count);
  } catch (error) {
    await deleteFile(services, file).catch(() => undefined);
    throw error;
  } finally {
    pace.end();
  }
}

/** How many bytes a client must send in each time. */
type LeastPace = Readonly<Record<'paceMinBytes' | 'paceMs', number>>;

/** Ends a stream from which too little comes while it is awaited. */
function keepPace(stream: Readable, { paceMinBytes, paceMs }: LeastPace, onTime: () => void) {
  let arrived = paceMinBytes;
  const timer = setInterval(() => {
    const isSlow = arrived < paceMinBytes && !stream.readableEnded && stream.readableLength === 0;
    if (isSlow) stream.destroy(malformed(message('imports.bodyTooSlow')));
    else onTime();
    arrived = 0;
  }, paceMs);
  return {
    count: (bytes: number) => {
      arrived += bytes;
    },
    end: () => clearInterval(timer),
  };
}

async function storeParts(
  services: FileServices,
  author: Author,
  _id: ObjectId,
  stream: Readable,
  onBytes: (bytes: number) => void,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  const { IMPORT_MAX_MB: maxMb } = services.config;
  let [bytes, chunks, bufferedBytes] = [0, 0, 0];
  let buffered: Buffer[] = [];
  const store = async () => {
    await tellAlive(services, { _id, org: author.org }, bytes);
    if ((await storedBytes(services, author)) > importLimits.storedMaxBytes)
      throw tooMany(message('imports.filesTooLarge'));
    if (chunks === 0 && bufferedBytes >= importLimits.chunkBytes) await requireFewUploads(services, author);
    await storePart(services, author, _id, chunks, Buffer.concat(buffered, bufferedBytes));
    [buffered, bufferedBytes, chunks] = [[], 0, chunks + 1];
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > maxMb * 2 ** 20) throw new ServiceError('tooLarge', message('imports.fileTooLarge', { maxMb }));
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes >= importLimits.chunkBytes) await store();
  }
  if (bufferedBytes > 0) await store();
  if (bytes === 0) throw malformed(message('imports.fileEmpty'));
  return { _id, org: author.org, bytes, chunks, sha256: hash.digest('hex') };
}

async function storePart({ db, clock }: Stores, author: Author, file: ObjectId, n: number, data: Buffer) {
  const now = toMachineClock(clock).now();
  const keptUntil = new Date(now.getTime() + importLimits.fileKeptDays * dayMs);
  await collectionOf(db, importChunkResource).insertOne(
    { ...newStamps(author, now, chunkId(file, n)), import: file, data: new Binary(data), keptUntil },
    { writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeouts.majorityMs * 5 } },
  );
}

/** The id of a part of a file. */
export function chunkId(file: ObjectId, n: number): ObjectId {
  return derivedId('importChunk', file, n);
}

async function tellAlive({ db }: Stores, { _id, org }: FileOfOrg, bytes?: number): Promise<void> {
  const update = { ...isAlive, ...(bytes === undefined ? {} : { $set: { bytes } }) };
  await collectionOf(db, importUploadResource).updateOne({ _id, org }, update);
}

async function storedBytes({ db }: Stores, { org }: Author): Promise<number> {
  const sum = [{ $group: { _id: null, bytes: { $sum: '$bytes' } } }];
  const [[uploads], [imports]] = await Promise.all([
    collectionOf(db, importUploadResource)
      .aggregate<{ bytes: number }>([{ $match: { org } }, ...sum])
      .toArray(),
    collectionOf(db, importResource)
      .aggregate<{ bytes: number }>([{ $match: { org, status: 'Running' } }, ...sum])
      .toArray(),
  ]);
  return (uploads?.bytes ?? 0) + (imports?.bytes ?? 0);
}

async function requireFewOpenImports({ db }: Stores, { org }: Author): Promise<void> {
  const open = await collectionOf(db, importResource).countDocuments({ org, status: 'Running' });
  const { openMax } = importLimits;
  if (open >= openMax) throw tooMany(message('imports.tooManyImports', { max: openMax }));
}

/** Counts this upload too, because several may become large at once. */
async function requireFewUploads({ db }: Stores, { org }: Author): Promise<void> {
  const { uploadsAtOnce, chunkBytes } = importLimits;
  const large = await collectionOf(db, importUploadResource).countDocuments({ org, bytes: { $gte: chunkBytes } });
  if (large > uploadsAtOnce) throw tooMany(message('imports.tooManyUploads', { max: uploadsAtOnce }));
}

function tooMany(reason: Message): ServiceError {
  return new ServiceError('rateLimited', reason, { headers: { 'Retry-After': '60' } });
}

/** Deletes the parts of a file, and the upload. */
export async function deleteFile({ db }: Pick<Infrastructure, 'db'>, { _id, org }: FileOfOrg): Promise<void> {
  await collectionOf(db, importChunkResource).deleteMany({ org, import: _id });
  await collectionOf(db, importUploadResource).deleteOne({ _id, org });
}

/**
 * Takes a file over from its upload, in the transaction that makes its import. So either the import has the file or
 * {@link releaseFile} deletes it, however late each of them is.
 * @throws ServiceError 1310 when the file was released, since its request had no answer in time
 */
export async function takeFile(
  { db }: Pick<Infrastructure, 'db'>,
  session: ClientSession,
  { _id, org }: FileOfOrg,
): Promise<void> {
  const { deletedCount } = await collectionOf(db, importUploadResource).deleteOne({ _id, org }, { session });
  if (deletedCount === 0) throw unavailable(message('http.noAnswerInTime'));
}

/** Ends an upload, and deletes its parts when no import has taken them. */
export async function releaseFile({ db }: Pick<Infrastructure, 'db'>, { _id, org }: FileOfOrg): Promise<void> {
  // An earlier version left the upload beside its import for a while.
  const isTaken = (await collectionOf(db, importResource).countDocuments({ _id, org }, { limit: 1 })) > 0;
  const { deletedCount } = await collectionOf(db, importUploadResource).deleteOne({ _id, org });
  if (!isTaken && deletedCount > 0) await collectionOf(db, importChunkResource).deleteMany({ org, import: _id });
}

/** Ends the uploads of processes that ended. */
export async function releaseAbandoned({ db }: Pick<Stores, 'db'>): Promise<void> {
  const left = await collectionOf(db, importUploadResource)
    .find({ $expr: isOver('aliveAt', importLimits.abandonedMs) }, { projection: { org: 1 } })
    .limit(100)
    .toArray();
  for (const file of left) await releaseFile({ db }, file);
}
