import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { collectionOf } from '#base/db/collections';
import { runCommand } from '#commands/base/runCommand';
import { examplesCommand, tryLines } from '#commands/examples';
import { noteApi } from '#operations/embedded/apiAddress';
import { sessionResource } from '#records/users/session';
import { openTestServer } from '../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
/** Has `examples/` and `rules/`. */
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'loyalty-example-'));
  await cp(path.resolve(__dirname, '../../examples/coffee'), path.join(dir, 'examples/coffee'), { recursive: true });
  server = await openTestServer({ rulesDir: path.join(dir, 'rules'), ORG: 'test' });
});
afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

async function run(args: string[], settings = {}) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const streams = { input: new PassThrough(), out: add, err: add };
  const config = { ...server.services.config, ...settings };
  const code = await runCommand(examplesCommand(config, streams, path.join(dir, 'examples')), args, streams);
  return { code, text: lines.join('\n') };
}

const stars = () => path.join(dir, 'rules/coffee/stars.json');

/** Replaces a text of definitions.json while work runs. */
async function withDefinitions<T>(from: string, to: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(dir, 'examples/coffee/definitions.json');
  const before = await readFile(file, 'utf8');
  expect(before).toContain(from);
  try {
    await writeFile(file, before.replace(from, to));
    return await work();
  } finally {
    await writeFile(file, before);
  }
}

test('the command answers an unknown example with the names of the examples', async () => {
  expect(await run(['load', 'tea'])).toEqual({ code: 1, text: 'There is no example tea; there are coffee' });
});

test('without a service, and without the org, the command says what is missing', async () => {
  const dataDir = path.join(dir, 'data');
  const { code, text } = await run(['load', 'coffee'], { MONGODB_URI: undefined, REDIS_URL: undefined, dataDir });
  expect([code, text]).toEqual([1, expect.stringMatching(/^No service: start it first \(npm start\)/)]);
  expect(await run(['load', 'coffee', '--org', 'other'])).toEqual({ code: 1, text: 'There is no org other' });
});

test.each([
  ['"threshold": 500', '"threshold": "500"', /tierpolicies\.0\.levels\.1\.threshold must be/],
  [
    '"keys": { "code": "coffee" }',
    '"keys": { "code": "tea" }',
    /pursepolicies\.0\.program must select the _id of a Program/,
  ],
  ['"pursepolicies": [', '"pursepolicy": [', /definitions\.pursepolicy is the path of no collection/],
  ['"title"', 'title', /definitions\.json is not JSON/],
])('check names the fault of definitions with %s as %s', async (from, to, message) => {
  const { code, text } = await withDefinitions(from, to, () => run(['check', 'coffee']));
  expect([code, text]).toEqual([1, expect.stringMatching(message)]);
});

test('a load that was refused halfway is completed by the next one', async () => {
  const half = await withDefinitions('"birthDate": "1991-09-23"', '"birthDate": "2091-09-23"', () =>
    run(['load', 'coffee']),
  );
  expect(half).toEqual({ code: 1, text: expect.stringMatching(/^members\.1\.birthDate /) });
  const { code, text } = await run(['load', 'coffee']);
  expect([code, text]).toEqual([0, expect.stringContaining('Made: 1 members\nThere before: 1 programs, ')]);
  expect(text).toMatch(/stars: Two stars for each full dollar/);
});

test('the load is done by the admin of the org and leaves no session', async () => {
  const { db } = server.services;
  const { body } = await server.as('admin').get('/programs?query={"code":"coffee"}');
  const { body: admins } = await server.as('admin').get('/users');
  const by = admins.find(({ _id }: { _id: string }) => _id === body[0].createdBy);
  expect(by.roles).toContain('admin');
  expect(await collectionOf(db, sessionResource).countDocuments({ createdAt: { $gt: new Date('2001-01-01') } })).toBe(
    0,
  );
});

test('a changed rule file is named and kept, and --force replaces it', async () => {
  const original = await readFile(stars(), 'utf8');
  await writeFile(stars(), original.replace('Two stars for each full dollar', 'Stars'));
  const refused = await run(['load', 'coffee']);
  expect(refused).toEqual({
    code: 1,
    text: expect.stringMatching(/^Nothing was changed: .*coffee\/stars\.json differ .*--force$/),
  });
  expect(await readFile(stars(), 'utf8')).not.toBe(original);
  const { code, text } = await run(['load', 'coffee', '--force']);
  expect([code, text]).toEqual([0, expect.stringMatching(/: 0 written, 1 replaced, \d+ the same/)]);
  expect(await readFile(stars(), 'utf8')).toBe(original);
});

const cost = async () => (await server.as('admin').get('/pursepolicies')).body[0].costPerPoint;

test('an existing record that differs is named and kept, and --force changes it once', async () => {
  await withDefinitions('"costPerPoint": 0.03', '"costPerPoint": 0.05', async () => {
    const stays =
      'PursePolicy Stars was there and differs from the example in costPerPoint; it stays as it is; --force';
    expect((await run(['load', 'coffee'])).text).toContain(stays);
    expect(await cost()).toBe(0.03);
    const { code, text } = await run(['load', 'coffee', '--force']);
    const changed = 'PursePolicy Stars was there and is now as in the example:\n  costPerPoint: 0.03 -> 0.05\n';
    expect([code, text]).toEqual([0, expect.stringContaining(changed)]);
    expect(await cost()).toBe(0.05);
    const again = await run(['load', 'coffee', '--force']);
    expect([again.code, again.text]).toEqual([0, expect.not.stringContaining('is now as in the example')]);
  });
  expect((await run(['load', 'coffee', '--force'])).text).toContain('  costPerPoint: 0.05 -> 0.03\n');
  expect(await cost()).toBe(0.03);
});

test('a change that the service refuses is named with its field, and --force does not change members', async () => {
  const refused = await withDefinitions('"timezone": "America/New_York",\n', '"timezone": "Asia/Tokyo",\n', () =>
    run(['load', 'coffee', '--force']),
  );
  expect(refused).toEqual({ code: 1, text: 'programs.0.timezone cannot change once the program has members' });
  const { text } = await withDefinitions('"birthDate": "1991-09-23"', '"birthDate": "1991-09-24"', () =>
    run(['load', 'coffee', '--force']),
  );
  expect(text).not.toContain('is now as in the example');
  const { body } = await server.as('admin').get('/members?loyaltyID=CF-1002');
  expect(body).toMatchObject([{ birthDate: expect.stringContaining('1991-09-23') }]);
});

test('the lines to try name the address of the local service, or say where their address is from', async () => {
  const dataDir = path.join(dir, 'running');
  await mkdir(dataDir);
  const tried = async (settings: object) => tryLines({ ...server.services.config, ...settings }, { sample: {} });
  expect((await tried({ dataDir, MONGODB_URI: undefined, PORT: 3000 })).join()).toMatch(
    /where HOST and PORT of this command say.*http:\/\/127\.0\.0\.1:3000\//,
  );
  noteApi(dataDir, 'http://0.0.0.0:3456');
  const [first, second] = await tried({ dataDir, MONGODB_URI: undefined, PORT: 3000 });
  expect([first, second]).toEqual([
    expect.not.stringContaining('HOST'),
    expect.stringContaining("'http://127.0.0.1:3456/api/v1/activity?"),
  ]);
});

test('check names each fault once', async () => {
  const file = path.join(dir, 'examples/coffee/rules/coffee/bakery.json');
  const before = await readFile(file, 'utf8');
  for (const [from, to] of [
    ['["Redemption"]', '["Redemtion"]'],
    ['"expect": { "fired": ["bakery"] }', '"expect": { "notFired": ["bakery"] }'],
  ] as const) {
    await writeFile(file, before.replace(from, to));
    const { code, text } = await run(['check', 'coffee']);
    await writeFile(file, before);
    const faults = text.split('\n').filter((line) => line.includes('bakery.json:'));
    expect([code, faults.length, new Set(faults).size]).toEqual([1, 1, 1]);
    expect(text.split('\n').filter((line) => / rules? in .* files?: /.test(line))).toHaveLength(1);
  }
});

test('a command ends without an error when its reader goes away', async () => {
  const root = path.resolve(__dirname, '../..');
  const hook = path.join(root, 'test/support/registerTypeScript.cjs');
  const child = spawn(process.execPath, ['--require', hook, 'src/commands/examples.ts', 'list'], { cwd: root });
  child.stdout.destroy();
  const actual: string[] = [];
  child.stderr.on('data', (chunk) => actual.push(String(chunk)));
  const [code] = await once(child, 'close');
  expect([code, actual.join('')]).toEqual([0, '']);
});

test('faults of the rules are named, and the rules in force are kept', async () => {
  const file = path.join(dir, 'examples/coffee/rules/coffee/bakery.json');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replace('"CF-BAKERY"', '"CF-BAKER"'));
  const { code, text } = await run(['load', 'coffee', '--force']);
  await writeFile(file, before);
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/are not in force[\s\S]*\ncoffee\/bakery\.json:\d+:\d+ .*"CF-BAKERY"/),
  ]);
  expect((await run(['load', 'coffee', '--force'])).code).toBe(0);
});
