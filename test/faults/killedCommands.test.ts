import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/common/clock';
import { BackupError } from '#operations/backup/manifest';
import { restoreBackup } from '#operations/backup/restoreBackup';
import { writeBackup } from '#operations/backup/writeBackup';
import { appliedMigrations } from '#operations/migrations/applied';
import { migrations } from '#operations/migrations/list';
import { resources } from '#server/services/resources';
import { type LoadedStore, loadStore } from '../operations/migrations/loadStore';
import { environment } from '../support/processes';

/** Commands that are killed in the middle (docs/design/upgrades.md, backup.md). The tests go on with one store. */
let loaded: LoadedStore;
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-killed-'));
beforeAll(async () => {
  loaded = await loadStore('43820b8');
});
afterAll(async () => {
  await loaded?.close();
  rmSync(root, { recursive: true });
});

const folder = path.join(root, 'backup');

function start(command: string, ...args: string[]): ChildProcess {
  const file = `src/commands/${command}.ts`;
  return spawn(process.execPath, ['--require', './test/support/registerTypeScript.cjs', file, ...args], {
    cwd: path.resolve(__dirname, '../..'),
    env: { PATH: process.env.PATH, ...environment(loaded.config) },
    stdio: 'ignore',
  });
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Kills a command as soon as it is in the middle. Once in a while it is faster; then it is begun anew. */
async function killedInTheMiddle(
  begin: () => Promise<ChildProcess>,
  isBegun: () => boolean | Promise<boolean>,
  isWhole: () => boolean | Promise<boolean>,
) {
  for (;;) {
    const child = await begin();
    while (!(await isBegun()) && child.exitCode === null) await sleep(1);
    await kill(child);
    if (!(await isWhole())) return;
  }
}

const restore = (from: string, replaces?: string) =>
  restoreBackup(loaded.db, {
    folder: from,
    resources,
    clock: systemClock,
    onProgress: () => undefined,
    onMismatch: () => undefined,
    ...(replaces === undefined ? {} : { replaces }),
  });

test('a killed migration continues with the next start', async () => {
  const { db } = loaded;
  const { insertedId } = await db.collection('submissions').insertOne({ status: 'Queued', lane: 'one' });
  await db.collection('members').updateMany({}, { $unset: { searchKeys: '' } });
  // While another transaction has changed a member, the migration cannot pass it.
  const session = await db.startSession();
  session.startTransaction();
  await db.collection('members').updateOne({}, { $set: { held: true } }, { session });
  const child = start('migrate', 'up');
  const begun = async () => (await appliedMigrations(db)).map(({ _id, finishedAt }) => [_id, finishedAt !== undefined]);
  while ((await begun()).length < 2 && child.exitCode === null) await sleep(10);
  await kill(child);
  await session.abortTransaction();
  await session.endSession();
  expect(await begun()).toEqual([
    [1, true],
    [2, false],
  ]);
  await db.collection('submissions').deleteOne({ _id: insertedId });
  await (await loaded.open()).close();
  expect(await begun()).toEqual(migrations.map(({ number }) => [number, true]));
  const findable = { searchKeys: { $exists: false } };
  expect(await db.collection('members').countDocuments(findable)).toBe(0);
});

test('a killed backup is no backup, and the next one is complete', async () => {
  const { db } = loaded;
  const partial = `${folder}.partial`;
  await killedInTheMiddle(
    async () => {
      rmSync(folder, { recursive: true, force: true });
      return start('backup', folder);
    },
    () => existsSync(partial) && readdirSync(partial).length > 2,
    () => existsSync(folder),
  );
  expect(existsSync(partial)).toBe(true);
  await expect(restore(partial, db.name)).rejects.toThrow(/no whole backup/);
  const { collections } = await writeBackup(db, { folder, clock: systemClock, onProgress: () => undefined });
  expect(existsSync(partial)).toBe(false);
  expect(collections.reduce((sum, { documents }) => sum + documents, 0)).toBeGreaterThan(500);
});

test('no process starts and no backup is made on a killed restore until it is repeated', async () => {
  const { db } = loaded;
  const members = await db.collection('members').countDocuments();
  const isUnfinished = async () => (await appliedMigrations(db)).some(({ name }) => name === 'restore');
  await killedInTheMiddle(
    async () => start('restore', folder, '--force', db.name),
    isUnfinished,
    async () => !(await isUnfinished()),
  );
  await expect(loaded.open()).rejects.toThrow(
    `A restore into the database ${db.name} has not finished: run npm run restore again, with --force ${db.name}`,
  );
  const another = { folder: `${folder}-2`, clock: systemClock, onProgress: () => undefined };
  await expect(writeBackup(db, another)).rejects.toThrow(BackupError);
  await expect(restore(folder)).rejects.toThrow(`--force ${db.name}`);
  const { checked } = await restore(folder, db.name);
  expect([checked.members, checked.mismatches]).toEqual([expect.any(Number), 0]);
  expect(await db.collection('members').countDocuments()).toBe(members);
  await (await loaded.open()).close();
});
