import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, mongo } from 'mongoose';
import { type Clock, elapsedMs } from '#base/common/clock';
import type { OnProgress } from '#base/common/progressTo';
import { StartError } from '#base/common/startError';
import { isTemporary } from '#base/db/isTemporary';
import { type Lock, LockLost, lockHolder, withLock } from '#base/db/leases/locks';
import { orgResource } from '#records/users/org';
import {
  appliedMigrations,
  beginMigration,
  finishMigration,
  markApplied,
  pendingMigrations,
  unfinishedRestore,
} from './applied';
import { migrations } from './list';
import type { Migration } from './migration';
import { type LivingProcess, livingProcesses } from './processes';

/** What {@link migrate} takes; the clock only dates what it stores. */
export interface MigrateOptions {
  clock: Clock;
  onProgress: OnProgress;
  /** Every migration of this version; tests give others. */
  list?: readonly Migration[];
  /** How long an exclusive migration waits for processes of an earlier version, in milliseconds. */
  waitMs?: number;
}

const defaultWaitMs = 30_000;

/** How long a migration retries after temporary errors, such as a change of primary, in milliseconds. */
const persistMs = 60_000;

const lockName = 'migrations';

/** The level of a version: the number of its last migration. */
export function migrationLevel(list: readonly Migration[] = migrations): number {
  return list.at(-1)?.number ?? 0;
}

/**
 * Brings a database to the level of this version. One process migrates; others wait and name it. In a new database
 * there is nothing to change.
 * @returns the migrations that this call has run
 * @throws StartError with one line when the database is newer than this version, a process of an earlier version is in
 *   the way, or a migration fails
 */
export async function migrate(db: Connection, options: MigrateOptions): Promise<Migration[]> {
  const { list = migrations, onProgress, clock } = options;
  const pending = await migrateNew(db, clock, list);
  if (pending.length === 0) return [];
  const onWaiting = ({ host, pid, note }: { host: string; pid: number; note: string }) =>
    onProgress(`Waiting for process ${pid} on ${host}, which upgrades the database${note && `: ${note}`}`, true);
  const ran = await withLock(db, lockName, { level: migrationLevel(list), onWaiting }, (lock) =>
    runAll(db, options, lock),
  );
  return typeof ran === 'symbol' ? [] : ran;
}

/**
 * Marks a new database as having every migration, because it holds nothing to change.
 * @returns the migrations that a database which is not new lacks
 * @throws StartError when the database is newer than this version
 */
export async function migrateNew(db: Connection, clock: Clock, list = migrations): Promise<readonly Migration[]> {
  const pending = await requirePending(db, list);
  if (pending.length === 0 || !(await isNew(db))) return pending;
  await markApplied(db, pending, clock.now());
  return [];
}

/**
 * Refuses a database that a newer version has upgraded or is upgrading.
 * @returns the migrations that it does not have
 */
export async function requirePending(db: Connection, list: readonly Migration[] = migrations): Promise<Migration[]> {
  const applied = await appliedMigrations(db);
  if (applied.some(({ _id }) => _id === unfinishedRestore)) {
    throw new StartError(
      `A restore into the database ${db.name} has not finished: run npm run restore again, with --force ${db.name}`,
    );
  }
  const level = migrationLevel(list);
  const newer = applied.findLast(({ _id }) => _id > level);
  const holder = await lockHolder(db, lockName);
  if (newer || (holder?.level ?? 0) > level) {
    const at = newer
      ? `has migration ${newer._id} (${newer.name})`
      : `is being upgraded by process ${holder?.pid} on ${holder?.host}`;
    throw new StartError(
      `The database ${at}, and this version knows migrations up to ${level}: ` +
        'start the newer version, or restore a backup made before the upgrade',
    );
  }
  return pendingMigrations(list, applied);
}

async function isNew(db: Connection): Promise<boolean> {
  return (await db.collection(orgResource.path).findOne({}, { projection: { _id: 1 } })) === null;
}

async function runAll(db: Connection, options: MigrateOptions, lock: Lock): Promise<Migration[]> {
  const { list = migrations, onProgress, clock } = options;
  const pending = await requirePending(db, list);
  for (const [n, migration] of pending.entries()) {
    const title = `Migration ${migration.number} (${migration.name}), ${n + 1} of ${pending.length}`;
    const say = (text: string, isUpdate: boolean) => {
      lock.note(text);
      onProgress(text, isUpdate);
    };
    if (migration.isExclusive) await awaitOlder(db, migration, options, lock);
    say(title, false);
    await beginMigration(db, migration, clock.now());
    const progress = (done: number, total: number) => say(`${title}: ${done} of ${total}`, true);
    await persistently(() => migration.up(db, { progress, signal: lock.signal }), lock.signal).catch((error) =>
      failed(migration, error),
    );
    await finishMigration(db, migration, clock.now());
  }
  return pending;
}

/** Waits until no process of an earlier version lives. The lock keeps new ones from starting. */
async function awaitOlder(
  db: Connection,
  { number, name }: Migration,
  options: MigrateOptions,
  lock: Lock,
): Promise<void> {
  const { onProgress, waitMs = defaultWaitMs } = options;
  const endsAt = elapsedMs() + waitMs;
  for (;;) {
    const older = (await livingProcesses(db)).filter(({ level }) => level < number);
    if (older.length === 0) return;
    if (elapsedMs() >= endsAt) {
      throw new StartError(
        `Migration ${number} (${name}) needs all processes of earlier versions to have ended; stop ${named(older)}, then start again`,
      );
    }
    const text = `Migration ${number} (${name}) waits for the end of ${named(older)}`;
    lock.note(text);
    onProgress(text, true);
    lock.signal.throwIfAborted();
    await sleep(1000);
  }
}

/** The most processes that a message names. */
const namedMax = 5;

function named(processes: readonly LivingProcess[]): string {
  const names = processes
    .slice(0, namedMax)
    .map(({ host, pid, role, version }) => `${role} ${version} (process ${pid} on ${host})`);
  return [...names, ...(processes.length > namedMax ? [`${processes.length - namedMax} more`] : [])].join(', ');
}

async function persistently(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const endsAt = elapsedMs() + persistMs;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted || !isTemporary(error) || elapsedMs() >= endsAt) throw error;
      await sleep(1000);
    }
  }
}

function failed({ number, name }: Migration, error: unknown): never {
  const cause = error instanceof LockLost || error instanceof mongo.MongoError ? error : undefined;
  if (!cause) throw error;
  const code = 'code' in cause && cause.code !== undefined ? ` ${String(cause.code)}` : '';
  const reason = cause.message.split('\n')[0];
  throw new StartError(
    `Migration ${number} (${name}) failed (${cause.name}${code}: ${reason}). Nothing is lost: mend the cause and start again, it goes on where it stopped`,
  );
}
