import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EJSON } from 'bson';
import mongoose, { type Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { readManifest } from '#operations/backup/manifest';
import { restoreBackup } from '#operations/backup/restoreBackup';
import { writeBackup } from '#operations/backup/writeBackup';
import { migrations } from '#operations/migrations/list';
import { registerProcess } from '#operations/migrations/processes';
import { openServices } from '#server/services/services';
import { contentHashes, databaseOf, emptyDatabase, testStores } from '../../support/stores';
import { addWorld, earnRule, openWorld, type World } from '../../support/world';
import { loadStore } from '../migrations/loadStore';

/** Backup and restore (docs/design/backup.md). */
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-backup-'));
let world: World;
let target: Connection;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  target = await mongoose.createConnection(testStores().mongodbUri).asPromise();
});
beforeEach(() => emptyDatabase(databaseOf(target)));
afterAll(async () => {
  await target.dropDatabase();
  await target.destroy();
  await world.close();
  rmSync(root, { recursive: true });
});

let count = 0;
const newFolder = () => {
  count += 1;
  return path.join(root, `backup-${count}`);
};
async function backUp(db = world.services.db, more: Partial<Parameters<typeof writeBackup>[1]> = {}): Promise<string> {
  const folder = newFolder();
  await writeBackup(db, { folder, clock: systemClock, onProgress: () => undefined, ...more });
  return folder;
}
async function restore(folder: string, replaces?: string) {
  const found: string[] = [];
  const { resources } = world.services;
  const result = await restoreBackup(target, {
    folder,
    resources,
    clock: systemClock,
    onProgress: () => undefined,
    ...(replaces === undefined ? {} : { replaces }),
    onMismatch: (message) => found.push(message),
  });
  return { ...result, found };
}

/** Every document as canonical text, so that types count too. */
async function contentOf(db: Connection, names: readonly string[]): Promise<Record<string, string[]>> {
  const driver = db.getClient().db(db.name);
  const all: Record<string, string[]> = {};
  for (const name of names) {
    const documents = await driver.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
    all[name] = documents.map((document) => EJSON.stringify(document, { relaxed: false }));
  }
  return all;
}
const namesIn = async (db: Connection) =>
  (await db.listCollections()).flatMap(({ name, type }) => (type === 'view' ? [] : [name]));

test('a store of an earlier version is restored and upgraded, and one of this version comes back document by document', async () => {
  const loaded = await loadStore('43820b8');
  try {
    const old = await backUp(loaded.db);
    expect((await readManifest(old)).level).toBe(0);
    const { checked, found } = await restore(old);
    expect([checked.mismatches, found]).toEqual([0, []]);
    expect(checked.members).toBeGreaterThan(10);
    expect(await target.collection('migrations').countDocuments()).toBe(migrations.length);
    await (await loaded.open()).close();
    const present = await backUp(loaded.db);
    expect((await readManifest(present)).level).toBe(migrations.length);
    await restore(present, target.name);
    const passing = ['locks', 'processes', 'deferredindexes', 'sessions', 'partitions', 'leases'];
    const names = (await namesIn(loaded.db)).filter((name) => !passing.includes(name) && !name.startsWith('system.'));
    const content = await contentOf(loaded.db, names);
    expect(Object.values(content).flat().length).toBeGreaterThan(1000);
    const back = await contentOf(target, names);
    // Compared by name, because a difference between all documents is too long to read.
    for (const name of names) expect([name, back[name]]).toEqual([name, content[name]]);
    expect(await target.collection('sessions').countDocuments()).toBe(0);
  } finally {
    await loaded.close();
  }
});

test('a backup under traffic shows one point in time, and its ledgers agree', async () => {
  const client = world.server.as('client');
  const pairs = await Promise.all(
    Array.from({ length: 4 }, async () => ({ first: await world.addMember(), second: await world.addMember() })),
  );
  let isOver = false;
  let posted = 0;
  // The second member of a pair only earns after the first one has: at no moment are they further apart than one.
  const traffic = pairs.map(async ({ first, second }) => {
    while (!isOver) {
      for (const { _id: memberID } of [first, second]) {
        const { status } = await client.post('/activity', { type: 'Accrual', memberID, value: 1 });
        expect(status).toBe(200);
        posted += 1;
      }
    }
  });
  while (posted < 40) await new Promise((resolve) => setImmediate(resolve));
  const folder = await backUp();
  const during = posted;
  isOver = true;
  await Promise.all(traffic);
  const { checked, found } = await restore(folder);
  expect([checked.mismatches, found]).toEqual([0, []]);
  const earned = async (id: unknown) => target.collection('journal').countDocuments({ member: id });
  for (const { first, second } of pairs) {
    const [one, other] = [await earned(first._id), await earned(second._id)];
    expect([0, 1]).toContain(one - other);
    expect(one).toBeGreaterThan(0);
  }
  expect(during).toBeGreaterThanOrEqual(40);
});

test('the service starts on what was restored', async () => {
  const folder = await backUp();
  await restore(folder);
  const { host, port, name } = target;
  expect([host, port, name].every(Boolean)).toBe(true);
  const uri = new URL(world.services.config.MONGODB_URI ?? '');
  uri.pathname = `/${target.name}`;
  const again = await openServices({ ...world.services.config, MONGODB_URI: uri.href });
  expect(await again.db.collection('members').countDocuments()).toBe(
    await world.services.db.collection('members').countDocuments(),
  );
  await again.close();
});

test('a backup of one org has only its records', async () => {
  const other = await addWorld(world, { rules: [earnRule] });
  const member = await other.addMember();
  const folder = await backUp(world.services.db, { org: other.services.org });
  await restore(folder);
  expect(await target.collection('members').distinct('_id')).toEqual([member._id]);
  const orgs = await Promise.all((await namesIn(target)).map((name) => target.collection(name).distinct('org')));
  expect(new Set(orgs.flat().map(String))).toEqual(new Set([`${other.author.org}`]));
  expect(await target.collection('orgs').distinct('_id')).toEqual([other.author.org]);
});

describe('a restore is refused, and nothing is changed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await backUp();
  });
  const damaged: [string, (at: string) => void, RegExp][] = [
    ['without manifest', (at) => rmSync(path.join(at, 'manifest.json')), /no whole backup: it has no manifest.json/],
    [
      'with a file that has grown',
      (at) => appendFileSync(path.join(at, 'orgs.bson.gz'), 'x'),
      /orgs.bson.gz .* damaged/,
    ],
    [
      'with a file that is missing',
      (at) => rmSync(path.join(at, 'members.bson.gz')),
      /members.bson.gz .* cannot be read/,
    ],
    [
      'with a file in which a bit is wrong',
      (at) => {
        const file = path.join(at, 'journal.bson.gz');
        const bytes = readFileSync(file);
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      /journal.bson.gz .* damaged/,
    ],
    [
      'of a newer version',
      (at) => {
        const file = path.join(at, 'manifest.json');
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), level: 999 }));
      },
      /of a newer version .*schema level 999/,
    ],
    [
      'with files outside its folder',
      (at) => {
        const file = path.join(at, 'manifest.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"orgs.bson.gz"', '"../orgs.bson.gz"'));
      },
      /manifest.json is damaged/,
    ],
  ];
  test.each(damaged)('%s', async (_what, damage, text) => {
    const own = newFolder();
    cpSync(folder, own, { recursive: true });
    damage(own);
    const before = await namesIn(target);
    await expect(restore(own)).rejects.toMatchObject({ name: 'BackupError', message: expect.stringMatching(text) });
    expect([await namesIn(target), await contentHashes(databaseOf(target))]).toEqual([before, {}]);
  });

  test('into a database that is not empty, unless a flag names it', async () => {
    await target.collection('members').insertOne({ own: true });
    await expect(restore(folder)).rejects.toThrow(`The database ${target.name} is not empty (members)`);
    await expect(restore(folder, 'another')).rejects.toThrow('is not empty');
    expect(await target.collection('members').countDocuments({ own: true })).toBe(1);
    expect((await restore(folder, target.name)).checked.mismatches).toBe(0);
    expect(await target.collection('members').countDocuments({ own: true })).toBe(0);
  });

  test('into a database that a process uses', async () => {
    const living = await registerProcess(target, 'api', 1, () => undefined);
    await expect(restore(folder, target.name)).rejects.toThrow(/Process \d+ on .* \(api\) uses the database/);
    await living.close();
  });
});

test('no process starts on half a restore, and it can be made again', async () => {
  const folder = await backUp();
  const file = path.join(folder, 'manifest.json');
  const whole = readFileSync(file, 'utf8');
  const manifest = JSON.parse(whole);
  manifest.collections.find(({ name }: { name: string }) => name === 'orgs').documents += 1;
  writeFileSync(file, JSON.stringify(manifest));
  await expect(restore(folder)).rejects.toThrow(/orgs.bson.gz has \d+ documents instead of/);
  const uri = new URL(world.services.config.MONGODB_URI ?? '');
  uri.pathname = `/${target.name}`;
  const start = openServices({ ...world.services.config, MONGODB_URI: uri.href });
  await expect(start).rejects.toThrow(/has not finished: run npm run restore again, with --force/);
  writeFileSync(file, whole);
  expect((await restore(folder, target.name)).checked.mismatches).toBe(0);
});

test('a backup that ends early leaves no folder, and a folder that exists is kept', async () => {
  const folder = newFolder();
  const input = { folder, clock: systemClock };
  const fail = () => {
    throw new Error('ended');
  };
  await expect(writeBackup(world.services.db, { ...input, onProgress: fail })).rejects.toThrow('ended');
  expect([existsSync(folder), existsSync(`${folder}.partial`)]).toEqual([false, false]);
  const kept = await backUp();
  const before = readFileSync(path.join(kept, 'manifest.json'), 'utf8');
  await expect(writeBackup(world.services.db, { ...input, folder: kept, onProgress: () => undefined })).rejects.toThrow(
    'exists already',
  );
  expect(readFileSync(path.join(kept, 'manifest.json'), 'utf8')).toBe(before);
});
