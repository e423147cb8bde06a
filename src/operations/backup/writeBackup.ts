import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Connection, mongo } from 'mongoose';
import type { Clock } from '#base/common/clock';
import type { OnProgress } from '#base/common/progressTo';
import { runningVersion } from '#base/common/version';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { hasUnfinishedRestore } from '#operations/migrations/applied';
import { type Org, orgResource } from '#records/users/org';
import { writeSynced } from './hashedFile';
import { BackupError, backupFiles, type Manifest, type SavedCollection } from './manifest';
import { savedCollections } from './savedCollections';
import { writeCollection } from './writeCollection';

/** What a backup holds, and where it goes. */
export interface BackupInput {
  /** The folder to make; it must not exist. */
  folder: string;
  /** Only the records of this org. */
  org?: Org;
  /** Text of the file of secrets; absent: the backup has no secrets. */
  secrets?: string;
  clock: Clock;
  onProgress: OnProgress;
}

/**
 * Writes a backup of the whole database, or of an org, as it was at one point in time. The service may keep running.
 * The folder appears under its name when everything is on the disk, so half a backup never looks whole.
 * @throws BackupError when the folder exists, a restore into the database has not finished, or the database is too
 *   large for MongoDB to show one instant for so long
 */
export async function writeBackup(db: Connection, input: BackupInput): Promise<Manifest> {
  const folder = path.resolve(input.folder);
  if (existsSync(folder)) throw new BackupError(`${folder} exists already; give a new folder`);
  if (await hasUnfinishedRestore(db)) {
    throw new BackupError(`A restore into the database ${db.name} has not finished: there is nothing whole to back up`);
  }
  const partial = `${folder}.partial`;
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    const manifest = await inSnapshot(db, (at) => writeAll(db, at, partial, input)).catch(tooLarge);
    await rename(partial, folder);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeAll(db: Connection, at: SnapshotOptions, partial: string, input: BackupInput): Promise<Manifest> {
  const { org, secrets, clock, onProgress } = input;
  // Another attempt starts from scratch: it shows a later instant.
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  const takenAt = clock.now().toISOString();
  const names = await savedCollections(db, { withSecrets: secrets !== undefined });
  const collections: SavedCollection[] = [];
  for (const [n, name] of names.entries()) {
    const title = `${name} (${n + 1} of ${names.length})`;
    onProgress(title, true);
    const filter = org ? backupFilter(name, org) : {};
    collections.push(
      await writeCollection(db, at, {
        name,
        filter,
        folder: partial,
        onProgress: (documents) => onProgress(`${title}: ${documents} documents`, true),
      }),
    );
  }
  const manifest: Manifest = {
    format: 1,
    ...runningVersion(),
    level: await levelIn(db, at),
    takenAt,
    hasSecrets: secrets !== undefined,
    ...(org ? { org: org.code } : {}),
    collections,
  };
  if (secrets !== undefined) await writeSynced(path.join(partial, backupFiles.secrets), secrets);
  await writeSynced(path.join(partial, backupFiles.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Collections that belong to the installation and are needed with every org. */
const ofInstallation = new Set(['migrations']);

function backupFilter(name: string, { _id }: Org): Record<string, unknown> {
  if (ofInstallation.has(name)) return {};
  return name === orgResource.path ? { _id } : { org: _id };
}

/** The highest migration that has begun, because its changes are in the data. */
async function levelIn(db: Connection, at: SnapshotOptions): Promise<number> {
  const migrations = db.getClient().db(db.name).collection<{ _id: number }>('migrations');
  const last = await migrations.find({}, at).sort({ _id: -1 }).limit(1).next();
  return last?._id ?? 0;
}

/** SnapshotTooOld, SnapshotUnavailable. */
const snapshotGone = new Set<unknown>([239, 246]);

function tooLarge(error: unknown): never {
  if (!(error instanceof mongo.MongoServerError) || !snapshotGone.has(error.code)) throw error;
  throw new BackupError(
    'MongoDB does not show one moment long enough to read all of it: raise minSnapshotHistoryWindowInSeconds, ' +
      'or use mongodump --oplog or a snapshot of the disk (docs/operating.md, "Backup and restore")',
  );
}
