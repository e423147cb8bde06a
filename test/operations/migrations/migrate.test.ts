import type { Connection } from 'mongoose';
import { mongo } from 'mongoose';
import { appliedMigrations } from '#operations/migrations/applied';
import { migrations } from '#operations/migrations/list';
import { migrate } from '#operations/migrations/migrate';
import type { Migration } from '#operations/migrations/migration';
import { registerProcess } from '#operations/migrations/processes';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
let db: Connection;
beforeAll(async () => {
  // The next test files must not use a database with these migrations.
  services = await openTestServices({});
  ({ db } = services);
});
afterAll(() => services.close());

/** A migration after those of the service. Each test takes the next number, so that it finds its own pending. */
let count = migrations.length;
function migration(up: Migration['up'], more: Partial<Migration> = {}): Migration {
  count += 1;
  return { number: count, name: `change ${count}`, up, ...more };
}

let all: readonly Migration[] = migrations;
async function run(added: Migration, waitMs = 0): Promise<{ ran: number[]; said: string[] }> {
  if (!all.includes(added)) all = [...all, added];
  const output: string[] = [];
  const ran = await migrate(db, { clock: services.clock, list: all, waitMs, onProgress: (line) => output.push(line) });
  return { ran: ran.map(({ number }) => number), said: output };
}

test('the numbers of the list are 1, 2, 3 …', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, n) => n + 1));
});

test('a new database counts every migration as applied', async () => {
  const applied = await appliedMigrations(db);
  expect(applied.map(({ _id, name }) => [_id, name])).toEqual(migrations.map(({ number, name }) => [number, name]));
});

test('one of several starting processes migrates, and the others wait and name it', async () => {
  let runs = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const added = migration(async (_db, { progress }) => {
    runs += 1;
    progress(3, 7);
    await released;
  });
  all = [...all, added];
  let ended: Promise<Migration[][]> = Promise.resolve([]);
  const actual = await new Promise<string>((resolve, reject) => {
    const onProgress = (line: string) => {
      if (/^Waiting for process .*: .*3 of 7$/.test(line)) resolve(line);
    };
    ended = Promise.all([0, 1, 2].map(() => migrate(db, { clock: services.clock, list: all, onProgress })));
    ended.catch(reject);
  });
  expect(actual).toMatch(new RegExp(`^Waiting for process ${process.pid} on .*${added.name}`));
  release();
  expect((await ended).flat()).toEqual([added]);
  expect(runs).toBe(1);
});

test('a killed migration is continued', async () => {
  let attempts = 0;
  const added = migration(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('killed');
  });
  await expect(run(added)).rejects.toThrow('killed');
  expect((await appliedMigrations(db)).at(-1)).not.toHaveProperty('finishedAt');
  expect((await run(added)).ran).toEqual([added.number]);
  expect((await appliedMigrations(db)).at(-1)).toHaveProperty('finishedAt');
});

test('an error of MongoDB is one line that names the migration', async () => {
  const added = migration(async () => {
    throw new mongo.MongoServerError({ message: 'no room\n    at somewhere', code: 14031 });
  });
  await expect(run(added)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      new RegExp(`^Migration ${added.number} \\(${added.name}\\) failed \\(MongoServerError 14031: no room\\)[^\\n]*$`),
    ),
  });
  all = all.filter((each) => each !== added);
  await db.collection<{ _id: number }>('migrations').deleteOne({ _id: added.number });
  count -= 1;
});

test('an exclusive migration waits for earlier processes, then gives up and names them', async () => {
  let runs = 0;
  const added = migration(
    async () => {
      runs += 1;
    },
    { isExclusive: true },
  );
  const older = await registerProcess(db, 'worker', added.number - 1, () => undefined);
  const same = await registerProcess(db, 'api', added.number, () => undefined);
  await expect(run(added)).rejects.toThrow(
    new RegExp(
      `needs all processes of earlier versions to have ended; stop worker .*\\(process ${process.pid} on [^,]+\\), then start again$`,
    ),
  );
  expect(runs).toBe(0);
  const waiting = run(added, 60_000);
  await older.close();
  expect((await waiting).ran).toEqual([added.number]);
  expect(runs).toBe(1);
  await same.close();
});

test('an earlier version refuses the database from then on, and while a newer one upgrades it', async () => {
  const older = all.slice(0, -1);
  const start = () => migrate(db, { clock: services.clock, list: older, onProgress: () => undefined });
  await expect(start()).rejects.toThrow(
    new RegExp(`has migration ${count} \\(change ${count}\\), and this version knows migrations up to ${count - 1}`),
  );
  let during: unknown;
  const added = migration(async () => {
    const known = all.slice(0, -1);
    during = await migrate(db, { clock: services.clock, list: known, onProgress: () => undefined }).catch(
      (error: unknown) => error,
    );
  });
  await run(added);
  expect(String(during)).toMatch(/^StartError: The database has migration/);
});
