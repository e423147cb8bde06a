import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { collectionOf } from '#base/db/collections';
import { runCommand } from '#commands/base/runCommand';
import { exportCommand } from '#commands/export';
import { importCommand } from '#commands/import';
import { importChunkResource, importUploadResource } from '#exchange/imports/file/importFiles';
import { importResource } from '#exchange/imports/import';
import { memberResource } from '#records/members/member';
import { journalResource } from '#records/points/journal';
import { addOrg } from '../support/server';
import { openWorld, type World } from '../support/world';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  folder = mkdtempSync(path.join(tmpdir(), 'loyalty-files-'));
});
afterAll(async () => {
  await world?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => path.join(folder, name);

/** Runs a command; returns its exit code and the lines that it wrote. */
async function run(make: typeof importCommand, ...args: string[]) {
  const written = { out: [] as string[], err: [] as string[] };
  const streams = {
    input: Readable.from(['']),
    out: (line: string) => void written.out.push(line),
    err: (line: string) => void written.err.push(line),
  };
  const code = await runCommand(make(world.services.config, streams), args, streams);
  return { code, ...written };
}

function imported(kind: string, name: string, content: string, ...options: string[]) {
  writeFileSync(at(name), content);
  return run(importCommand, kind, at(name), ...options);
}

const members = () => collectionOf(world.services.db, memberResource).countDocuments({});
const files = async () =>
  (await collectionOf(world.services.db, importChunkResource).countDocuments({})) +
  (await collectionOf(world.services.db, importUploadResource).countDocuments({}));

const good = 'loyaltyID,program,balance:Points\nC-1,main,5\nC-2,main,7\n';

test('a dry run shows what an import would do, and stores nothing', async () => {
  const { code, out } = await imported('members', 'good.csv', good, '--dry-run');
  expect([code, out]).toEqual([0, ['2 rows: 2 would be created, 0 would be updated, 0 unchanged, 0 failed']]);
  expect([await members(), await files()]).toEqual([0, 0]);
});

test('an import ends with 0, shows its progress in lines, and changes nothing when it runs again', async () => {
  const { code, out, err } = await imported('members', 'good.csv', good);
  expect([code, out]).toEqual([0, ['2 rows: 2 created, 0 updated, 0 unchanged, 0 failed']]);
  // The line of the end, as plain text: nothing moves the cursor where there is no terminal.
  expect(err.at(-1)).toMatch(/100% 2 rows, 0 failed/);
  expect(err.join('')).not.toContain('\u001b');
  const again = await imported('members', 'good.csv', good);
  expect([again.code, again.out]).toEqual([0, ['2 rows: 0 created, 0 updated, 2 unchanged, 0 failed']]);
  expect(await collectionOf(world.services.db, journalResource).countDocuments({})).toBe(2);
  expect(await files()).toBe(0);
});

test('an import with failed rows ends with 1 and writes them to a file, which can be corrected and imported', async () => {
  const bad = 'loyaltyID,program,email\nC-3,main,c3@x.example\nC-4,main,=nowhere\nC-5,none,\n';
  const { code, out, err } = await imported('members', 'bad.csv', bad, '--errors', at('errors.csv'));
  expect([code, out]).toEqual([1, ['3 rows: 1 created, 0 updated, 0 unchanged, 2 failed']]);
  expect(err.at(-1)).toBe(`2 rows failed: see ${at('errors.csv')}`);
  const lines = readFileSync(at('errors.csv'), 'utf8').trim().split('\n');
  expect(lines).toEqual([
    '#line,#fault,loyaltyID,program,email',
    expect.stringMatching(/^3,"email must match format .*",C-4,main,'=nowhere$/),
    expect.stringMatching(/^4,program is neither .*,C-5,none,$/),
  ]);
  const corrected = lines.join('\n').replace("'=nowhere", 'c4@x.example').replace('C-5,none', 'C-5,main');
  const again = await imported('members', 'corrected.csv', corrected);
  expect([again.code, again.out]).toEqual([0, ['2 rows: 2 created, 0 updated, 0 unchanged, 0 failed']]);
});

test('without a file for failed rows, the command says where they are', async () => {
  const { code, err } = await imported('products', 'nameless.ndjson', '{"sku":"P-1"}\n');
  const { _id } = (await collectionOf(world.services.db, importResource).findOne({ kind: 'products' })) ?? {};
  expect([code, err.at(-1)]).toEqual([1, `1 rows failed: see GET /api/v1/imports/${_id}/errors`]);
});

test.each([
  ['a file that is not there', ['members', 'nowhere.csv'], /^There is no file nowhere.csv$/],
  ['a folder', ['members', '.'], /^There is no file \.$/],
  ['an unknown kind', ['users', 'x.csv'], /'users' is invalid.*Allowed choices are members/],
  ['an unknown format', ['members', 'x.csv', '--format', 'xml'], /'xml' is invalid.*csv, ndjson/],
  ['an unknown option', ['members', 'x.csv', '--force'], /unknown option '--force'/],
])('%s ends with 1 and one line', async (_what, args, message) => {
  const { code, out, err } = await run(importCommand, ...args);
  expect([code, out, err.length]).toEqual([1, [], 1]);
  expect(err[0]).toMatch(message);
});

test.each([
  ['an empty file', '', /file is empty/],
  ['an unknown column', 'loyaltyID,program,colour\n', /^colour is not a column of this kind of import$/],
  ['another format than its name says', '{"loyaltyID":"C-9"}\n', /^header line 1: a quote stands within a cell/],
])('%s ends with 1 and stores nothing', async (_what, content, message) => {
  const before = await members();
  const { code, err } = await imported('members', 'faulty.csv', content);
  expect([code, err[0]]).toEqual([1, expect.stringMatching(message)]);
  expect([await members(), await files()]).toEqual([before, 0]);
});

test('a file that cannot be read to its end ends with 1 and says why', async () => {
  const { code, out, err } = await imported('products', 'open.csv', 'sku,name\nQ-1,"Tea\n');
  expect([code, out]).toEqual([1, ['0 rows: 0 created, 0 updated, 0 unchanged, 0 failed']]);
  expect(err.at(-1)).toBe('The import failed: line 2: a quote is not closed');
});

test('imports and exports use the named org', async () => {
  const other = await addOrg(world.server);
  const { code } = await run(importCommand, 'locations', at('locations.csv'), '--org', other.services.org.code);
  expect(code).toBe(1);
  const content = 'number,name\n7,Harbour\n';
  const actual = await imported('locations', 'locations.csv', content, '--org', other.services.org.code);
  expect(actual.code).toBe(0);
  expect((await other.as('admin').get('/locations')).body).toMatchObject([{ number: '7', name: 'Harbour' }]);
  expect((await world.server.as('admin').get('/locations')).body).toEqual([]);
  const unknown = await imported('locations', 'locations.csv', content, '--org', 'nobody');
  expect([unknown.code, unknown.err.at(-1)]).toEqual([1, expect.stringMatching(/no org nobody/)]);
});

test('an export equals the answer of GET /exports, also with a query', async () => {
  const listed = await world.server.as('admin').get('/exports?kind=members&format=ndjson');
  const { code, out, err } = await run(exportCommand, 'members', '--format', 'ndjson', '--out', at('members.ndjson'));
  expect([code, out, err.at(-1)]).toEqual([0, [], '5 records exported']);
  expect(readFileSync(at('members.ndjson'), 'utf8')).toBe(listed.body);
  await run(exportCommand, 'members', '--query', '{"loyaltyID":"C-2"}', '--out', at('one.csv'));
  expect(readFileSync(at('one.csv'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test('a file with columns of its own is imported by a mapping', async () => {
  const options = ['--map', 'Karte=loyaltyID', 'Punkte=balance:Points', '--set', 'program=main'];
  const forms = ['--decimal-comma', 'true', '--points-factor', '100'];
  const content = 'Karte;Punkte\nMAP-1;0,05\nMAP-2;0,055\n';
  const { code, out } = await imported('members', 'mapped.csv', content, ...options, ...forms);
  expect([code, out]).toEqual([1, ['2 rows: 1 created, 0 updated, 0 unchanged, 1 failed']]);
  const till = 'Bon;Betrag\nMAP-T1;12,50\n';
  const ofTill = [
    '--map',
    'Bon=externalTxnId',
    'Betrag=value',
    '--set',
    'type=Accrual',
    'loyaltyID=MAP-1',
    'srcChannelType=POS',
  ];
  const amounts = await imported(
    'activities',
    'till.csv',
    till,
    ...ofTill,
    '--decimal-comma',
    'true',
    '--amount-factor',
    '100',
  );
  expect(amounts.code).toBe(0);
  const unknown = await imported('members', 'mapped.csv', content, '--mapping', 'nobody');
  expect([unknown.code, unknown.err[0]]).toEqual([1, expect.stringMatching(/^mapping is not the name of a mapping/)]);
  const wrong = await imported('members', 'mapped.csv', content, '--map', 'loyaltyID');
  expect([wrong.code, wrong.err[0]]).toEqual([1, '--map loyaltyID: write name=value']);
});

test('an export for Excel begins with a byte order mark', async () => {
  const { code } = await run(exportCommand, 'members', '--bom', '--out', at('marked.csv'));
  expect([code, readFileSync(at('marked.csv'), 'utf8').slice(0, 4)]).toEqual([0, '\uFEFF_id']);
  const { code: other, err } = await run(exportCommand, 'members', '--bom', '--format', 'ndjson');
  expect([other, err.at(-1)]).toEqual([1, '--bom is for --format csv alone']);
});

test.each([
  ['an unknown kind', ['users'], /'users' is invalid/],
  ['a field that is hidden', ['members', '--query', '{"searchKeys":"x"}'], /searchKeys/],
  ['a query that is no JSON', ['members', '--query', '{'], /JSON/],
  ['an unknown org', ['members', '--org', 'nobody'], /no org nobody/],
])('an export of %s ends with 1', async (_what, args, message) => {
  const { code, err } = await run(exportCommand, ...args);
  expect([code, err.at(-1)]).toEqual([1, expect.stringMatching(message)]);
});
