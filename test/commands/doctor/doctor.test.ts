import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Redis } from 'ioredis';
import { runCommand } from '#commands/base/runCommand';
import { doctorCommand } from '#commands/doctor';
import type { Deployment } from '#commands/doctor/check';
import { checks, type Report, runChecks } from '#commands/doctor/runChecks';
import { registerProcess } from '#operations/migrations/processes';
import { earnRule, openWorld, type World } from '../../support/world';

/** The checks of docs/design/upgrades.md, each made to find something on the real stores. */
let world: World;
let at: Deployment;
const dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-doctor-'));
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  const { config, db, redis } = world.services;
  const strong = { ...config, dataDir, JWT_SECRET: 'Zk3v9Qw7xLr2TnB8yHs5GdFp1mCj6VaE' };
  at = { config: strong, db, redis, isEmbedded: true, now: new Date(), nodeVersion: 'v24.1.0' };
});
afterAll(async () => {
  await world.close();
  rmSync(dataDir, { recursive: true });
});

async function check(name: string, more: Partial<Deployment> = {}): Promise<Report> {
  const list = checks.filter((each) => each.name === name);
  expect(list).toHaveLength(1);
  const [report] = await runChecks({ ...at, ...more }, [list]);
  if (!report) throw new Error('no report');
  return report;
}

const admin = () => at.db.getClient().db('admin');
const parameter = (name: string, value: number) => admin().command({ setParameter: 1, [name]: value });

/** How a deployment becomes faulty, and well again. */
interface Fault {
  more?: () => Partial<Deployment>;
  make?: () => Promise<unknown>;
  undo?: () => Promise<unknown>;
}

const config = (change: object): Fault => ({ more: () => ({ config: { ...at.config, ...change } }) });
let ending: { close(): Promise<void> }[] = [];
const processes = (...roles: ('api' | 'worker')[]): Fault => ({
  async make() {
    ending = await Promise.all(roles.map((role) => registerProcess(at.db, role, 99, () => undefined)));
  },
  undo: () => Promise.all(ending.map((each) => each.close())),
});
const later: Fault = { more: () => ({ now: new Date(at.now.getTime() + 7_200_000) }) };

const faults: [name: string, status: Report['status'], said: RegExp, fault: Fault][] = [
  ['host.node', 'warning', /20 gets no corrections/, { more: () => ({ nodeVersion: 'v20.20.2' }) }],
  ['host.node', 'failure', /Node.js 24/, { more: () => ({ nodeVersion: 'v18.1.0' }) }],
  ['host.clock', 'warning', /MongoDB -7[12]\d+ ms.*NTP/, later],
  ['host.limits', 'warning', /BODY_LIMIT/, config({ bodyMaxBytes: 16_777_216 })],
  ['secrets.jwt', 'failure', /example/, config({ JWT_SECRET: 'please change me before you use this' })],
  ['secrets.jwt', 'failure', /few different/, config({ JWT_SECRET: 'abababababababababababababababababab' })],
  [
    'secrets.files',
    'failure',
    /chmod 600/,
    {
      async make() {
        chmodSync(dataDir, 0o755);
        writeFileSync(path.join(dataDir, 'secrets.json'), '{}', { mode: 0o644 });
      },
      undo: async () => rmSync(path.join(dataDir, 'secrets.json')),
    },
  ],
  [
    'mongodb.writeConcern',
    'warning',
    /default w: 1/,
    {
      make: () => admin().command({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } }),
      undo: () => admin().command({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 'majority' } }),
    },
  ],
  [
    'mongodb.transactionLifetime',
    'warning',
    /120 s.*transactionLifetimeLimitSeconds to 8/,
    {
      make: () => parameter('transactionLifetimeLimitSeconds', 120),
      undo: () => parameter('transactionLifetimeLimitSeconds', 60),
    },
  ],
  [
    'store.migrations',
    'failure',
    /1 are missing.*migrate -- up/,
    {
      make: () => at.db.collection<{ _id: number }>('migrations').updateOne({ _id: 2 }, { $unset: { finishedAt: '' } }),
      undo: () =>
        at.db.collection<{ _id: number }>('migrations').updateOne({ _id: 2 }, { $set: { finishedAt: at.now } }),
    },
  ],
  [
    'store.indexes',
    'failure',
    /submissions.org_1_key_1/,
    {
      make: () => at.db.collection('submissions').dropIndex('org_1_key_1'),
      undo: () => at.db.collection('submissions').createIndex({ org: 1, key: 1 }, { unique: true }),
    },
  ],
  [
    'store.indexes',
    'warning',
    /not used: submissions.lane_1/,
    {
      make: () => at.db.collection('submissions').createIndex({ lane: 1 }),
      undo: () => at.db.collection('submissions').dropIndex('lane_1'),
    },
  ],
  ['store.processes', 'failure', /no worker lives/, processes('api')],
  ['store.processes', 'warning', /Start an API/, processes('worker')],
  ['store.timers', 'failure', /overdue: daychange/, later],
  [
    'store.jobs',
    'warning',
    /failed in the last day: escrow/,
    {
      make: () => at.db.collection('jobs').insertOne({ name: 'escrow', startedAt: new Date(), error: 'TypeError' }),
      undo: () => at.db.collection('jobs').deleteMany({ name: 'escrow' }),
    },
  ],
  [
    'store.inbox',
    'failure',
    /has waited 7\d\d\d s/,
    {
      ...later,
      make: () => at.db.collection('submissions').insertOne({ key: 'old', status: 'Queued', acceptedAt: at.now }),
      undo: () => at.db.collection('submissions').deleteMany({ key: 'old' }),
    },
  ],
  [
    'store.lost',
    'failure',
    /1 accepted activities/,
    {
      make: () =>
        at.db
          .collection('submissions')
          .insertOne({ key: 'lost', status: 'Error', outcome: { errors: [{ code: 1300 }] }, updatedAt: at.now }),
      undo: () => at.db.collection('submissions').deleteMany({ key: 'lost' }),
    },
  ],
  ['rules.folders', 'failure', /cannot be read/, config({ rulesDir: '/nowhere' })],
  [
    'rules.folders',
    'warning',
    /of no program: .*stray/,
    {
      make: async () => mkdirSync(path.join(world.rulesDir, 'stray')),
      undo: async () => rmSync(path.join(world.rulesDir, 'stray'), { recursive: true }),
    },
  ],
  [
    'rules.programs',
    'warning',
    /without rules: .*bare/,
    {
      make: () => world.server.as('admin').post('/programs', { code: 'bare', name: 'Bare' }),
      undo: () => at.db.collection('programs').deleteMany({ code: 'bare' }),
    },
  ],
  [
    'rules.faults',
    'failure',
    /org test: 1/,
    {
      async make() {
        writeFileSync(path.join(world.rulesDir, 'main', 'broken.json'), '[{]');
        await world.services.ruleSets.publish(world.author.org);
      },
      async undo() {
        rmSync(path.join(world.rulesDir, 'main', 'broken.json'));
        await world.services.ruleSets.publish(world.author.org);
      },
    },
  ],
];

test.each(faults)('%s finds a %s: %s', async (name, status, message, { more = () => ({}), make, undo }) => {
  await make?.();
  try {
    const report = await check(name, more());
    expect(report.status).toBe(status);
    expect(`${report.found} ${report.advice}`).toMatch(message);
  } finally {
    await undo?.();
  }
  expect((await check(name)).status === 'failure' && name !== 'store.timers').toBe(false);
});

test('a user admin with a password that is easily guessed is a failure', async () => {
  const body = { username: 'admin', password: 'password123', roles: ['admin'] };
  expect((await world.server.as('admin').post('/users', body)).status).toBe(201);
  expect(await check('secrets.passwords')).toMatchObject({ status: 'failure', name: 'secrets.passwords' });
  await at.db.collection('users').deleteMany({ username: 'admin' });
  expect((await check('secrets.passwords')).status).toBe('ok');
});

test('every check runs against the stores, has a name of its own, and says what to do unless all is well', async () => {
  const reports = await runChecks(at);
  expect(new Set(reports.map(({ name }) => name)).size).toBe(checks.length);
  for (const { status, found, advice } of reports) {
    expect(found).not.toMatch(/could not be checked/);
    expect(status === 'ok').toBe(advice === undefined);
  }
});

test('stores that are away are failures in an ordinary report', async () => {
  const redis = new Redis({ port: 1, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  const away = {
    config: at.config,
    redis,
    isEmbedded: true,
    now: at.now,
    nodeVersion: 'v24.1.0',
    get db(): Deployment['db'] {
      throw new Error('MongoDB cannot be reached');
    },
  };
  const reports = await runChecks(away);
  const failed = reports.filter(({ status }) => status === 'failure').map(({ name }) => name);
  expect(failed).toEqual(
    reports.map(({ name }) => name).filter((name) => !/host.node|host.limits|secrets.jwt|secrets.files/.test(name)),
  );
});

test.each([[[]], [['--json']]])(
  'the command writes the report and ends with 1 on a failure',
  async (args: string[]) => {
    const written: string[] = [];
    const streams = { input: Readable.from([]), out: (line: string) => void written.push(line), err: () => undefined };
    const code = await runCommand(doctorCommand({ ...at.config, rulesDir: '/nowhere' }, streams), args, streams);
    expect(code).toBe(1);
    const reports = args.length > 0 ? JSON.parse(written.join('\n')).map(({ name }: Report) => name) : [];
    expect(args.length > 0 ? reports : written.filter((line) => !line.startsWith(' ')).length).toEqual(
      args.length > 0 ? checks.map(({ name }) => name) : checks.length,
    );
  },
);
