import assert from 'node:assert';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { dayMs } from '#base/common/durations';
import type { OnProgress } from '#base/common/progressTo';
import { collectionOf, updateAll } from '#base/db/collections';
import { type Lock, type LockHolder, taken, withLock } from '#base/db/leases/locks';
import { type Author, newStamps, updateStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { areHistoriesCounted } from '#operations/retention/oldHistories';
import {
  type ArchiveKind,
  type ArchiveVolume,
  archiveKinds,
  archiveVolumeResource,
} from '#records/archives/archiveVolume';
import type { Org } from '#records/users/org';
import { archivedRecords } from './archivedRecords';
import { type ArchivedRecord, ArchiveError, readVolume, removeVolume, verifyVolume, writeVolume } from './volumeFiles';

/** Limits of an archive. */
export const archiveLimits = {
  /** Days that a history stays at least, as with retention: cancellations, windows and simulations read it. */
  daysMin: 90,
  /** The most records of a volume. */
  volumeMax: 100_000,
  /** The most records that one transaction deletes, and about how many characters they have together. */
  batchMax: 200,
  batchCharactersMax: 4_000_000,
} as const;

/** What is archived, and where it goes. */
export interface ArchiveInput {
  org: Org;
  /** What was posted and dated before this instant. */
  before: Date;
  /** The folder of the archive, in which each volume is a folder. */
  root: string;
  /** The clock of the org. */
  clock: Clock;
  /** For tests: the most records of a volume. */
  volumeMax?: number;
  onProgress: OnProgress;
}

/** How many records of each kind a run moved to the archive, and to which volumes. */
export interface Archived extends Record<ArchiveKind, number> {
  volumes: string[];
  /** Members whose points were left out, because their records do not agree. */
  faulty: number;
}

/**
 * Moves old records of an org to files: writes a volume, reads it back, and deletes what it has, until nothing is left.
 * It first finishes what a killed run began, and waits while another run archives the org. The service may go on
 * meanwhile.
 * @throws ArchiveError when the date is too late, or a volume that is not finished is missing or damaged
 */
export async function writeArchive(db: Connection, input: ArchiveInput): Promise<Archived> {
  const { org, before, clock } = input;
  const latest = new Date(clock.now().getTime() - archiveLimits.daysMin * dayMs);
  if (before > latest)
    throw new ArchiveError(
      `--before is at most ${latest.toISOString().slice(0, 10)}: histories stay ${archiveLimits.daysMin} days`,
    );
  if (!(await areHistoriesCounted(db, org._id)))
    throw new ArchiveError(`The histories of ${org.code} are not counted yet: run the job aggregates first`);
  const root = path.resolve(input.root);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const onWaiting = ({ host, pid }: LockHolder) =>
    input.onProgress(`Waiting for process ${pid} on ${host}, which archives ${org.code}`, true);
  const name = `archive ${org._id}`;
  const done = await withLock(db, name, { onWaiting }, (lock) => writeVolumes(db, { ...input, root }, lock));
  assert(done !== taken, 'it waits for the lock');
  return done;
}

async function writeVolumes(db: Connection, input: ArchiveInput, lock: Lock): Promise<Archived> {
  const { org, clock, before } = input;
  const done: Archived = { volumes: [], histories: 0, submissions: 0, points: 0, faulty: 0 };
  const settle = async (volume: ArchiveVolume) => {
    done[kindOf(volume)] += await settleVolume(db, input, volume, lock);
    done.volumes.push(volume.name);
  };
  for (const volume of await unfinishedVolumes(db, input)) await settle(volume);
  const onFaulty = () => {
    done.faulty += 1;
  };
  for (const { kind, read } of archivedRecords) {
    const source = read(db, { org: org._id, clock, before, onFaulty });
    for (;;) {
      const volume = await beginVolume(db, input, { kind, source }, lock);
      if (!volume) break;
      await settle(volume);
    }
  }
  return done;
}

function kindOf({ kind = 'histories' }: Pick<ArchiveVolume, 'kind'>): ArchiveKind {
  return kind;
}

/**
 * The volumes whose records have still to be deleted. One that was not written to its end is removed: nothing of it
 * was deleted.
 */
async function unfinishedVolumes(db: Connection, { org, root }: ArchiveInput): Promise<ArchiveVolume[]> {
  const volumes = collectionOf(db, archiveVolumeResource);
  const found = await volumes
    .find({ org: org._id, state: { $ne: 'settled' } })
    .sort({ _id: 1 })
    .toArray();
  for (const { _id, name, path: writtenTo } of found.filter(({ state }) => state === 'writing')) {
    await removeVolume(root, name);
    if (writtenTo !== root) await removeVolume(writtenTo, name);
    await volumes.deleteOne({ _id, org: org._id, state: 'writing' });
  }
  return found.filter(({ state }) => state === 'written');
}

/** The records of a kind that are not written yet. */
interface Source {
  kind: ArchiveKind;
  source: AsyncIterator<ArchivedRecord['record'], void, undefined>;
}

/** Writes the next volume, and reads it back. @returns undefined when there is nothing to archive */
async function beginVolume(
  db: Connection,
  { org, before, root, clock, volumeMax = archiveLimits.volumeMax, onProgress }: ArchiveInput,
  { kind, source }: Source,
  { signal }: Lock,
): Promise<ArchiveVolume | undefined> {
  const volumes = collectionOf(db, archiveVolumeResource);
  const now = clock.now();
  const _id = new ObjectId();
  const name = `${org.code}-${before.toISOString().slice(0, 10)}-${kind}-${_id.toHexString()}`;
  const author = { org: org._id, userId: org.systemUser };
  const begun = { name, state: 'writing' as const, kind, before, path: root, removed: 0 };
  await volumes.insertOne({ ...newStamps(author, now, _id), ...begun });
  const records = async function* () {
    for (let read = 1; read <= volumeMax; read += 1) {
      const { done, value } = await source.next();
      if (done) return;
      signal.throwIfAborted();
      onProgress(`${name}: ${read} records written`, true);
      yield value;
    }
  };
  const file = await writeVolume(root, { name, kind, org: org.code, before, writtenAt: now }, records());
  if (!file) {
    await volumes.deleteOne({ _id, org: org._id });
    return undefined;
  }
  await verifyVolume(root, name);
  const written = { state: 'written' as const, file };
  const { matchedCount } = await volumes.updateOne(
    { _id, org: org._id, state: 'writing' },
    { $set: { ...written, ...updateStamps(author, clock.now()) } },
    { writeConcern: { w: 'majority', journal: true } },
  );
  if (matchedCount === 0) throw new ArchiveError(`Another run has removed ${name}`);
  return { ...newStamps(author, now, _id), ...begun, ...written };
}

/** Deletes what a whole volume has. @returns how many records it deleted */
async function settleVolume(
  db: Connection,
  { org, root, clock, onProgress }: ArchiveInput,
  volume: ArchiveVolume,
  { signal }: Lock,
): Promise<number> {
  const { _id, name, file, path: writtenTo } = volume;
  const found = await verifyVolume(root, name).catch((error: unknown) => {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ArchiveError(
      `${error.message}. It was written to ${writtenTo}, and is not finished: bring it to ${root}`,
    );
  });
  if (found.sha256 !== file?.sha256) throw new ArchiveError(`${name} is not the volume that was written`);
  const author = { org: org._id, userId: org.systemUser };
  const volumes = collectionOf(db, archiveVolumeResource);
  let [removed, seen] = [0, 0];
  for await (const records of batches(readVolume(root, name))) {
    signal.throwIfAborted();
    removed += await moveBatch(db, { volume, author, now: clock.now() }, records);
    seen += records.length;
    onProgress(`${name}: ${seen} of ${found.documents} records deleted from the database`, true);
  }
  const stamps = updateStamps(author, clock.now());
  await volumes.updateOne({ _id, org: org._id }, { $set: { state: 'settled', ...stamps } });
  return removed;
}

/** Where a batch goes, who moves it, and when. */
interface BatchMove {
  volume: ArchiveVolume;
  author: Author;
  now: Date;
}

/** Deletes what a batch has in one transaction, which adds to the number of the volume. */
async function moveBatch(
  db: Connection,
  { volume, author, now }: BatchMove,
  records: readonly ArchivedRecord[],
): Promise<number> {
  const archived = archivedRecords.find((each) => each.kind === kindOf(volume));
  assert(archived, `one of ${archiveKinds.join(', ')}`);
  const { _id } = volume;
  const attempt = async (session: ClientSession) => {
    const moved = await archived.move(db, session, { volume: _id, author, now }, records);
    const counted = { $inc: { removed: moved }, $set: updateStamps(author, now) };
    const update = { q: { _id, org: author.org }, u: counted };
    if (moved > 0) await updateAll(db, session, archiveVolumeResource.path, [update]);
    return moved;
  };
  return withRetries(() => inTransaction(db, attempt), {});
}

/** Records that one transaction deletes. */
async function* batches(source: AsyncIterable<ArchivedRecord>): AsyncGenerator<ArchivedRecord[], void, undefined> {
  let batch: ArchivedRecord[] = [];
  let characters = 0;
  for await (const each of source) {
    batch.push(each);
    characters += each.line.length;
    if (batch.length < archiveLimits.batchMax && characters < archiveLimits.batchCharactersMax) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
