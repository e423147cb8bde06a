import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import type { OnProgress } from '#base/common/progressTo';
import { makeCollections, prepareCollections } from '#base/db/prepareCollections';
import type { Resource } from '#base/schema/resource';
import { type Reconciliation, reconcile } from '#members/reconcile/reconcile';
import { beginRestore, finishRestore, forgetMigrations } from '#operations/migrations/applied';
import { migrate, migrationLevel } from '#operations/migrations/migrate';
import { livingProcesses } from '#operations/migrations/processes';
import { BackupError, type Manifest, readManifest, type SavedCollection } from './manifest';
import { readDocuments, verifyFile } from './readCollection';
import { savedCollections } from './savedCollections';

/** Which backup is restored, and what may be lost for it. */
export interface RestoreInput {
  folder: string;
  /** The name of the database that may be emptied first; absent: only an empty database is filled. */
  replaces?: string;
  resources: readonly Resource[];
  clock: Clock;
  onProgress: OnProgress;
  onMismatch(message: string): void;
}

/**
 * Fills a database from a backup: verifies every file, stores the documents, runs the migrations that the backup does
 * not have, makes the indexes and checks every ledger. While it has not finished, no process starts on the database.
 * @throws BackupError before anything is changed, when the backup is damaged or newer than this version, or the
 *   database is in use or not empty
 */
export async function restoreBackup(
  db: Connection,
  input: RestoreInput,
): Promise<{ manifest: Manifest; checked: Reconciliation }> {
  const { folder, resources, clock, onProgress, onMismatch } = input;
  const manifest = await readManifest(folder);
  if (manifest.level > migrationLevel()) {
    throw new BackupError(
      `The backup is of a newer version (${manifest.version}, schema level ${manifest.level}; this one knows ${migrationLevel()}): restore it with that version`,
    );
  }
  for (const saved of manifest.collections) {
    onProgress(`Verifying ${saved.file}`, true);
    await verifyFile(folder, saved);
  }
  await requireUnused(db);
  const isEmpty = await requireReplaceable(db, input.replaces);
  // From here on no process starts, so nobody serves what is half deleted or half filled.
  await beginRestore(db, clock.now());
  await deleteAll(db, isEmpty);
  await makeCollections(db, resources);
  for (const [n, saved] of manifest.collections.entries()) {
    const title = `${saved.name} (${n + 1} of ${manifest.collections.length})`;
    await fill(db, folder, saved, (done) => onProgress(`${title}: ${done} of ${saved.documents}`, true));
  }
  await finishRestore(db);
  await migrate(db, { clock, onProgress });
  await prepareCollections(db, resources, { onProgress });
  const checked = await reconcile({ db, clock }, { onMismatch: ({ message }) => onMismatch(message) });
  return { manifest, checked };
}

async function requireUnused(db: Connection): Promise<void> {
  const [first] = await livingProcesses(db);
  if (!first) return;
  throw new BackupError(
    `Process ${first.pid} on ${first.host} (${first.role}) uses the database ${db.name}: stop the service first`,
  );
}

/**
 * Returns whether the database is empty.
 * @throws BackupError when there is something in it that may not be deleted
 */
async function requireReplaceable(db: Connection, replaces: string | undefined): Promise<boolean> {
  const names = await savedCollections(db, { withSecrets: true });
  const filled: string[] = [];
  for (const name of names) if (await db.collection(name).findOne({}, { projection: { _id: 1 } })) filled.push(name);
  if (filled.length > 0 && replaces !== db.name) {
    throw new BackupError(
      `The database ${db.name} is not empty (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ' …' : ''}). ` +
        `--force ${db.name} deletes all that is in it and restores the backup`,
    );
  }
  return filled.length === 0;
}

async function deleteAll(db: Connection, isEmpty: boolean): Promise<void> {
  const views = (await db.listCollections()).filter(({ type }) => type === 'view').map(({ name }) => name);
  const names = isEmpty ? [] : await savedCollections(db, { withSecrets: true });
  for (const name of [...views, ...names]) if (name !== 'migrations') await db.dropCollection(name);
  await forgetMigrations(db);
}

/** The most documents and bytes of one insert. */
const batchMax = 1000;

async function fill(
  db: Connection,
  folder: string,
  saved: SavedCollection,
  onProgress: (done: number) => void,
): Promise<void> {
  const collection = db.getClient().db(db.name).collection(saved.name);
  let done = 0;
  let batch: Record<string, unknown>[] = [];
  const store = async () => {
    if (batch.length > 0) await collection.insertMany(batch, { ordered: false, ignoreUndefined: false });
    done += batch.length;
    batch = [];
    onProgress(done);
  };
  for await (const document of readDocuments(folder, saved)) {
    batch.push(document);
    if (batch.length >= batchMax) await store();
  }
  await store();
  if (done !== saved.documents)
    throw new BackupError(`${saved.file} has ${done} documents instead of ${saved.documents}`);
}
