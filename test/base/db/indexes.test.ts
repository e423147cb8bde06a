import { Readable } from 'node:stream';
import type { Connection } from 'mongoose';
import { prepareCollections } from '#base/db/prepareCollections';
import { runCommand } from '#commands/base/runCommand';
import { migrateCommand } from '#commands/migrate';
import { runJob } from '#operations/jobs/runJob';
import { recordsMadeIndex } from '#records/aggregates/metricEvents';
import { openTestServer } from '../../support/server';

/** Indexes of a database that an earlier version left (docs/design/upgrades.md). */
let server: Awaited<ReturnType<typeof openTestServer>>;
let db: Connection;
beforeAll(async () => {
  // The next test files must not use a database with these indexes.
  server = await openTestServer({});
  ({ db } = server.services);
});
afterAll(() => server.close());

const prepare = (largeFrom?: number) => {
  const { resources } = server.services;
  return prepareCollections(db, resources, largeFrom === undefined ? {} : { largeFrom });
};
const namesIn = async (collection: string) => (await db.collection(collection).indexes()).map(({ name }) => name);

async function run(...args: string[]) {
  const written = { out: [] as string[], err: [] as string[] };
  const streams = {
    input: Readable.from([]),
    out: (line: string) => void written.out.push(line),
    err: (line: string) => void written.err.push(line),
  };
  const code = await runCommand(migrateCommand(server.services.config, streams), args, streams);
  return { code, ...written };
}

const oneLine = { name: 'StartError', message: expect.not.stringContaining('\n') };

test('records that violate a unique index are named in one line', async () => {
  const submissions = db.collection('submissions');
  await submissions.dropIndex('org_1_key_1');
  const { org } = server.services;
  await submissions.insertMany([
    { org: org._id, key: 'till-1' },
    { org: org._id, key: 'till-1' },
  ]);
  const refused = prepare();
  await expect(refused).rejects.toMatchObject(oneLine);
  await expect(refused).rejects.toThrow(
    `Index submissions.org_1_key_1 cannot be made: records of submissions have the same org, key (org "${org._id}", key "till-1")`,
  );
  await submissions.deleteMany({ key: 'till-1' });
  await prepare();
  expect(await namesIn('submissions')).toContain('org_1_key_1');
});

test('an index with other options is refused where values must be unique, and remade by hand', async () => {
  const submissions = db.collection('submissions');
  await submissions.dropIndex('org_1_key_1');
  await submissions.createIndex({ org: 1, key: 1 });
  const refused = prepare();
  await expect(refused).rejects.toMatchObject(oneLine);
  await expect(refused).rejects.toThrow(/^Index submissions.org_1_key_1 is there with other .*npm run migrate/);
  expect(await run('indexes')).toMatchObject({ code: 0, out: ['differs  submissions.org_1_key_1'] });
  expect((await run('indexes', '--prune')).out).toContain('Made submissions.org_1_key_1 anew');
  await prepare();
  const [made] = (await submissions.indexes()).filter(({ name }) => name === 'org_1_key_1');
  expect(made?.unique).toBe(true);
});

test('an index that is not used any more stays until it is pruned', async () => {
  await db.collection('submissions').createIndex({ lane: 1, place: 1 }, { name: 'lane_1_place_1' });
  await prepare();
  expect((await run('status')).out).toContain('not used  submissions.lane_1_place_1');
  expect(await namesIn('submissions')).toContain('lane_1_place_1');
  expect((await run('indexes', '--prune')).out).toContain('Dropped submissions.lane_1_place_1');
  expect(await namesIn('submissions')).not.toContain('lane_1_place_1');
  expect((await run('indexes')).out).toEqual([]);
});

describe('of a large collection', () => {
  const readiness = async () => (await server.anonymous.send('GET', '/health/ready')).body.checks.indexes;
  const isSoon = async (wanted: unknown) => {
    // Readiness looks once a second.
    for (let seen = await readiness(); JSON.stringify(seen) !== JSON.stringify(wanted); seen = await readiness()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  test('a start leaves an index that is not needed at once to the job, and readiness shows it', async () => {
    await db.collection('jobs').insertOne({ name: 'escrow' });
    await db.collection('jobs').dropIndex('org_1_name_1_startedAt_-1');
    // Counts read this one by its name.
    const needed = Object.keys(recordsMadeIndex)
      .flatMap((field) => [field, '1'])
      .join('_');
    await db.collection('metricevents').insertOne({ entries: [] });
    await db.collection('metricevents').dropIndex(needed);
    await prepare(0);
    expect(await namesIn('jobs')).not.toContain('org_1_name_1_startedAt_-1');
    expect(await namesIn('metricevents')).toContain(needed);
    const name = 'jobs.org_1_name_1_startedAt_-1';
    await isSoon([{ name, status: 'Waiting', done: 0, total: 0 }]);
    const { counts, error } = await runJob(server.services, 'indexes', server.services.org._id);
    expect([counts, error]).toEqual([{ indexes: 1 }, null]);
    expect(await namesIn('jobs')).toContain('org_1_name_1_startedAt_-1');
    await isSoon([]);
  });

  test('the unique index of the journal waits, because the one of an earlier version stays', async () => {
    const journal = db.collection('journal');
    await journal.insertOne({ org: server.services.org._id, seq: 1 });
    await journal.dropIndex('org_1_member_1_seq_1');
    await journal.createIndex({ member: 1, seq: 1 }, { unique: true });
    await prepare(0);
    expect(await namesIn('journal')).not.toContain('org_1_member_1_seq_1');
    expect((await run('indexes')).out).toEqual([
      'missing  journal.org_1_member_1_seq_1',
      'not used  journal.member_1_seq_1',
    ]);
    // The new one is made before the old one goes.
    expect((await run('indexes', '--prune')).out.slice(2)).toEqual([
      'Made journal.org_1_member_1_seq_1',
      'Dropped journal.member_1_seq_1',
    ]);
    expect((await journal.indexes()).find(({ name }) => name === 'org_1_member_1_seq_1')?.unique).toBe(true);
    await journal.deleteMany({});
    await prepare(0);
  });

  test('an index that the job cannot make is shown as failed, and the service keeps working', async () => {
    await db.collection('jobs').dropIndex('org_1_name_1_startedAt_-1');
    await db.collection('jobs').createIndex({ name: 1 }, { name: 'org_1_name_1_startedAt_-1' });
    await prepare(0);
    expect((await runJob(server.services, 'indexes', server.services.org._id)).counts).toEqual({ indexes: 0 });
    await isSoon([{ name: 'jobs.org_1_name_1_startedAt_-1', status: 'Failed', done: 0, total: 0 }]);
    await run('indexes', '--prune');
    await prepare(0);
    await isSoon([]);
  });
});
