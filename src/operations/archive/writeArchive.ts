import assert from 'node:assert';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { dayMs } from '#base/common/durations';
import type { OnProgress } from '#base/common/progressTo';
import { collectionOf } from '#base/db/collections';
import { type Lock, type LockHolder, taken, withLock } from '#base/db/leases/locks';
import { newStamps, updateStamps } from '#base/db/records';
import { areHistoriesCounted } from '#operations/retention/oldHistories';
import { type ArchiveVolume, archiveVolumeResource } from '#records/archives/archiveVolume';
import type { Org } from '#records/users/org';
import { archivableHistories, moveToVolume } from './archiveHistories';
import { type ArchivedRecord, ArchiveError, readVolume, removeVolume, verifyVolume, writeVolume } from './volumeFiles';

/** Limits of an archive. */
export const archiveLimits = {
  /** Days that a history stays at least, as with retention: cancellations, windows and simulations read it. */
  daysMin: 90,
  /** The most histories of a volume. */
  volumeMax: 100_000,
  /** The most histories that one transaction deletes, and about how many characters they have together. */
  batchMax: 200,
  batchCharactersMax: 4_000_000,
} as const;

/** What is archived, and where it goes. */
export interface ArchiveInput {
  org: Org;
  /** Histories that were posted and dated before this instant. */
  before: Date;
  /** The folder of the archive, in which each volume is a folder. */
  root: string;
  /** The clock of the org. */
  clock: Clock;
  /** For tests: the most histories of a volume. */
  volumeMax?: number;
  onProgress: OnProgress;
}

/** What a run moved to the archive. */
export interface Archived {
  volumes: string[];
  histories: number;
}

/**
 * Moves old histories of an org to files: writes a volume, reads it back, and deletes what it has, until nothing is left.
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
  const done: Archived = { volumes: [], histories: 0 };
  const settle = async (volume: ArchiveVolume) => {
    done.histories += await settleVolume(db, input, volume, lock);
    done.volumes.push(volume.name);
  };
  for (const volume of await unfinishedVolumes(db, input)) await settle(volume);
  for (;;) {
    const volume = await beginVolume(db, input, lock);
    if (!volume) return done;
    const before = done.histories;
    await settle(volume);
    // What a volume has may have changed or be needed again meanwhile; the next run looks at it.
    if (done.histories === before) return done;
  }
}

/**
 * The volumes whose histories have still to be deleted. One that was not written to its end is removed: nothing of it
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

/** Writes the next volume, and reads it back. @returns undefined when there is nothing to archive */
async function beginVolume(
  db: Connection,
  { org, before, root, clock, volumeMax = archiveLimits.volumeMax, onProgress }: ArchiveInput,
  { signal }: Lock,
): Promise<ArchiveVolume | undefined> {
  const volumes = collectionOf(db, archiveVolumeResource);
  const now = clock.now();
  const _id = new ObjectId();
  const name = `${org.code}-${before.toISOString().slice(0, 10)}-${_id.toHexString()}`;
  const author = { org: org._id, userId: org.systemUser };
  const begun = { name, state: 'writing' as const, before, path: root, removed: 0 };
  await volumes.insertOne({ ...newStamps(author, now, _id), ...begun });
  let read = 0;
  const histories = async function* () {
    for await (const history of archivableHistories(db, org._id, before, volumeMax)) {
      signal.throwIfAborted();
      read += 1;
      onProgress(`${name}: ${read} histories written`, true);
      yield history;
    }
  };
  const file = await writeVolume(root, { name, org: org.code, before, writtenAt: now }, histories());
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

/** Deletes what a whole volume has. @returns how many histories it deleted */
async function settleVolume(
  db: Connection,
  { org, root, clock, onProgress }: ArchiveInput,
  { _id, name, file, path: writtenTo }: ArchiveVolume,
  { signal }: Lock,
): Promise<number> {
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
    removed += await moveToVolume(db, { volume: _id, author, now: clock.now() }, records);
    seen += records.length;
    onProgress(`${name}: ${seen} of ${found.documents} histories deleted from the database`, true);
  }
  const stamps = updateStamps(author, clock.now());
  await volumes.updateOne({ _id, org: org._id }, { $set: { state: 'settled', ...stamps } });
  return removed;
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
