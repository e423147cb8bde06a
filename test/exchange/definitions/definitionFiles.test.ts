import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { runCommand } from '#commands/base/runCommand';
import { definitionsCommand } from '#commands/definitions';
import { definitionPaths } from '#exchange/definitions/definitionResources';
import type { Client } from '../../support/client';
import { absent, type Rich, type RichField, richRecords } from '../../support/richRecords';
import { makeKnown } from '../../support/richReferences';
import { drawn, isLong, share } from '../../support/scale';
import { addOrg, openTestServer } from '../../support/server';
import type { TestServices } from '../../support/services';

type Body = Record<string, unknown>;
type File = Record<string, Body[]>;

let server: Awaited<ReturnType<typeof openTestServer>>;
let folder: string;
/** The definitions of staging as the API shows them, by path. */
let rich: Rich[];
beforeAll(async () => {
  server = await openTestServer({ ORG: 'test' });
  folder = mkdtempSync(path.join(tmpdir(), 'loyalty-definitions-'));
  rich = await makeDefinitions(server.as('ledger-admin'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a definition of every kind with a value in every field, and what they refer to. */
async function makeDefinitions(admin: Client): Promise<Rich[]> {
  const program = (await admin.post('/programs', { code: 'main', name: 'Main' })).body._id;
  const purse = (await admin.post('/pursepolicies', { name: 'Points', program })).body._id;
  const known = await makeKnown(admin, program, purse);
  const all = richRecords(known).filter((each) => definitionPaths.includes(each.path));
  for (const each of all) {
    const fields = Object.fromEntries(Object.entries(each.fields).map(([name, [value]]) => [name, value]));
    const made = await admin.post(`/${each.path}`, { ...each.fixed, ...fields });
    expect([each.path, made.status, made.body.errors]).toEqual([each.path, 201, undefined]);
  }
  const byProgram = { name: 'Of main', kind: 'query', query: { program, 'address.city': 'Oslo' } };
  await admin.post('/segments', byProgram);
  await admin.post('/segments', { ...byProgram, name: 'As text', query: JSON.stringify({ program }) });
  await admin.post('/offers', {
    code: 'BY-ID',
    name: 'By id',
    program,
    productFilter: { inclusionParams: { _id: { ids: [known.products[0]] } } },
  });
  return all;
}

async function run(args: string[], input = '') {
  const [out, err]: [string[], string[]] = [[], []];
  const stream = new PassThrough();
  stream.end(input);
  const streams = { input: stream, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await runCommand(definitionsCommand(server.services.config, streams), args, streams);
  return { code, out, err };
}

const fileAt = (name: string) => path.join(folder, name);

function written(name: string, content: string | object): string {
  writeFileSync(fileAt(name), typeof content === 'string' ? content : stringify(content));
  return fileAt(name);
}

async function exported(org: string, ...args: string[]): Promise<File> {
  const { code, out } = await run(['export', '--org', org, ...args]);
  expect(code).toBe(0);
  return parse(out.join('\n'));
}

async function otherOrg(file?: File) {
  const org = await addOrg(server);
  const { code } = org.services.org;
  if (file)
    expect(await run(['apply', written('given.yaml', file), '--org', code, '--yes'])).toMatchObject({ code: 0 });
  return { ...org, code };
}

test('a file names definitions by their codes and names, never by ids', async () => {
  const file = await exported('test');
  expect(Object.keys(file)).toEqual(definitionPaths);
  expect(JSON.stringify(file)).not.toMatch(/[0-9a-f]{24}/);
  expect(file.pursepolicies).toContainEqual(expect.objectContaining({ name: 'Points', program: 'main' }));
  expect(file.extdefs).toEqual([
    expect.objectContaining({ extSchema: { model: 'LineItem', name: 'Line' }, field: 'weight' }),
  ]);
  expect(file.namedlists).toContainEqual(expect.objectContaining({ name: 'List', ids: ['TEA-1', 'MILK-1'] }));
  expect(file.offers).toContainEqual(
    expect.objectContaining({ productFilter: { inclusionParams: { _id: { ids: ['ref(products/TEA-1)'] } } } }),
  );
  expect(file.segments).toContainEqual(
    expect.objectContaining({ name: 'As text', query: '{"program":"ref(programs/main)"}' }),
  );
});

test.each(drawn(['yaml', 'json']))(
  'the %s of one org makes equal definitions in another, whose file is then equal',
  async (format) => {
    const out = fileAt(`all.${format}`);
    expect(await run(['export', '--format', format, '--out', out])).toMatchObject({ code: 0, out: [] });
    const { code, as } = await otherOrg();
    expect(await run(['apply', out, '--org', code, '--yes'])).toMatchObject({ code: 0, err: [] });
    expect(await exported(code)).toEqual(await exported('test'));
    expect(await run(['diff', out, '--org', code])).toMatchObject({ code: 0 });
    expect(await run(['apply', out, '--org', code])).toMatchObject({ code: 0, err: [] });
    for (const each of definitionPaths) {
      const [from, to] = [await server.as('admin').get(`/${each}`), await as('admin').get(`/${each}`)];
      expect(to.body.map(values)).toEqual(from.body.map(values));
    }
  },
);

/** What an answer says without ids and dates of records. */
function values(record: Body): unknown {
  const { _id, org, createdAt, updatedAt, createdBy, updatedBy, ...own } = record;
  return JSON.parse(JSON.stringify(own).replace(/[0-9a-f]{24}/g, 'an id'));
}

/** What a field gets instead of its value. */
const replacements: [string, (field: RichField) => unknown][] = [
  ['changed', ([, other]) => other],
  ['left out', ([, , cleared]) => (cleared === absent ? undefined : cleared)],
];

test.each(drawn(replacements))(
  'every field that is %s is reported, applied and then without difference',
  async (_what, valueIn) => {
    const file = await exported('test');
    const { code } = await otherOrg(file);
    const wanted = new Set<string>();
    for (const { path: at, fields, fixed = {} } of rich) {
      for (const body of file[at]?.filter((each) => isRich(each, fields, fixed)) ?? []) {
        for (const [name, field] of Object.entries(fields)) {
          const next = valueIn(field);
          if (keyFields.has(name) || typeof next === 'symbol' || isDeepStrictEqual(next, body[name])) continue;
          if (next === undefined) delete body[name];
          else body[name] = next;
          wanted.add(`${at}.${name}`);
        }
      }
    }
    expect(wanted.size).toBeGreaterThan(60);
    const target = written('changed.yaml', file);
    const actual = await run(['diff', target, '--org', code, '--json']);
    const { changed, created, deleted } = JSON.parse(actual.out.join('\n'));
    const names = changed.flatMap((each: { resource: string; changes: { path: string }[] }) =>
      each.changes.map(({ path: field }) => `${each.resource}.${field.split('.')[0]}`),
    );
    expect([[...new Set(names)].sort(), created, deleted]).toEqual([[...wanted].sort(), [], []]);
    expect(await run(['apply', target, '--org', code, '--yes'])).toMatchObject({ code: 0, err: [] });
    expect(await run(['diff', target, '--org', code])).toMatchObject({ code: 0 });
  },
);

/** Fields that name a definition, so that it would be another one, and one whose values in the rich records are ids. */
const keyFields = new Set(['code', 'name', 'number', 'sku', 'type', 'value', 'field', 'model', 'ids']);

function isRich(body: Body, fields: Rich['fields'], fixed: Body): boolean {
  const key = ['code', 'sku', 'number', 'field', 'name', 'value'].find((name) => name in fields || name in fixed) ?? '';
  return body[key] === (fields[key]?.[0] ?? fixed[key]);
}

describe('a file with faults changes nothing, and each fault has its place', () => {
  let code: string;
  let services: () => TestServices;
  beforeAll(async () => {
    const org = await otherOrg();
    code = org.code;
    services = () => org.services;
  });
  const good = 'programs:\n  - code: main\n    name: Main\npursepolicies:\n  - name: Points\n    program: main\n';
  const faults: [string, string, string | RegExp][] = [
    [
      'an unknown purse',
      `${good}rewards:\n  - code: R\n    name: R\n    program: main\n    cost:\n      purse: Pionts\n      points: 5\n`,
      'faulty.yaml:12:14 rewards[0].cost.purse is no purse policy of the program',
    ],
    [
      'an unknown program',
      `${good}offers:\n  - code: O\n    name: O\n    program: mian\n`,
      'faulty.yaml:10:14 offers[0].program names Program "mian", which neither the file nor the org has',
    ],
    [
      'a field that there is not',
      `${good}    colour: red\n`,
      'faulty.yaml:7:13 pursepolicies[0].colour is not a field of this object',
    ],
    [
      'a part of a key that is missing',
      `${good}  - name: Other\n`,
      'faulty.yaml:7:5 pursepolicies[1].program is required',
    ],
    [
      'the same definition twice',
      `${good}  - program: main\n    name: Points\n`,
      'faulty.yaml:7:5 pursepolicies[1] has the same key as pursepolicies[0]',
    ],
    [
      'a section that there is not',
      `${good}users:\n  - username: eve\n`,
      `faulty.yaml:8:3 users must be one of ${definitionPaths.join(', ')}`,
    ],
    [
      'a section that is no list',
      `programs:\n  code: main\n`,
      'faulty.yaml:2:3 programs must be a list of definitions',
    ],
    [
      'a query that names nothing',
      `${good}segments:\n  - name: S\n    kind: query\n    query: '{"program":"ref(programs/mian)"}'\n`,
      'faulty.yaml:10:12 segments[0].query names ref(programs/mian), which neither the file nor the org has',
    ],
    ['broken YAML', `${good}rewards: [\n`, /^faulty\.yaml:\d+:\d+ /],
    ['a key twice', `${good}programs: []\n`, /^faulty\.yaml:7:1 Map keys must be unique/],
    ['broken JSON', '{"programs": [{"code": "main"}', /^faulty\.yaml:1:\d+ /],
    ['nothing', '', 'faulty.yaml:1:1 must be an object with lists of definitions, such as programs and pursepolicies'],
    ['nesting', `programs: ${'['.repeat(20_000)}`, /^faulty\.yaml:1:1 .*nests too deep/],
    ['a billion laughs', laughs(), /alias|^faulty\.yaml:\d+:\d+ /i],
    [
      'control characters',
      `${good}offers:\n  - code: "a\\u0000"\n    name: O\n    program: main\n`,
      /^faulty\.yaml:8:11 offers\[0\]\.code /,
    ],
    ['__proto__', `programs:\n  - __proto__: {}\n    code: main\n    name: M\n`, /^faulty\.yaml:2:\d+ programs\[0\]/],
  ];
  test.each(share(faults, 3))('%s', async (_what, text, line) => {
    const before = process.cwd();
    written('faulty.yaml', text);
    process.chdir(folder);
    try {
      const { code: exit, err } = await run(['apply', 'faulty.yaml', '--org', code, '--yes']);
      expect([exit, err[0]?.split('\n')[0]]).toEqual([
        1,
        typeof line === 'string' ? line : expect.stringMatching(line),
      ]);
      const compared = await run(['diff', 'faulty.yaml', '--org', code]);
      expect([compared.code, compared.err[0]?.split('\n')[0]]).toEqual([2, err[0]?.split('\n')[0]]);
    } finally {
      process.chdir(before);
    }
    expect(await countWritten()).toBe(0);
  });

  const countWritten = async () => {
    const { db, org } = services();
    const counts = definitionPaths.map((each) => db.collection(each).countDocuments({ org: org._id }));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
});

function laughs(): string {
  const lines = Array.from({ length: 12 }, (_, index) => {
    const of = index === 0 ? '"lol"' : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array(10).fill(of).join(', ')}]`;
  });
  return lines.join('\n');
}

test('diff says in words and by its exit code what apply would do, and changes nothing', async () => {
  const file = await exported('test', '--only', 'programs,pursepolicies');
  const { code } = await otherOrg(file);
  const [first] = file.pursepolicies ?? [];
  const changed = {
    programs: [...(file.programs ?? []), { code: 'second', name: 'Second' }],
    pursepolicies: [{ ...first, overdraftLimit: 50, escrow: { type: 'duration', value: 2, unit: 'day' } }],
  };
  const target = written('words.yaml', changed);
  const before = await exported(code);
  const { code: exit, out } = await run(['diff', target, '--org', code, '--prune']);
  expect(exit).toBe(1);
  expect(out).toEqual([
    '+ programs second',
    '    code: "second"',
    '    name: "Second"',
    '    status: "Active"',
    '    timezone: "UTC"',
    '~ pursepolicies main/Points',
    '    overdraftLimit: 0 -> 50',
    '    escrow: nothing -> {"type":"duration","value":2,"unit":"day"}',
    '- pursepolicies main/Gems',
    '1 to create, 1 to change, 1 to delete, 2 the same',
  ]);
  expect(await exported(code)).toEqual(before);
});

test('apply waits for a confirmation, and only yes applies', async () => {
  const { code } = await otherOrg();
  const target = written('ask.yaml', { programs: [{ code: 'asked', name: 'Asked' }] });
  for (const answer of ['', 'no\n', 'yesterday\n']) {
    expect(await run(['apply', target, '--org', code], answer)).toMatchObject({ code: 1 });
    expect((await exported(code)).programs).toEqual([]);
  }
  expect(await run(['apply', target, '--org', code], 'yes\n')).toMatchObject({ code: 0 });
  expect((await exported(code)).programs).toHaveLength(1);
});

test('prune deletes records that its sections lack, after the records that refer to them', async () => {
  const all = await exported('test');
  const { code } = await otherOrg(all);
  const empty = Object.fromEntries(definitionPaths.filter((each) => each !== 'enums').map((each) => [each, []]));
  expect(await run(['apply', written('empty.yaml', empty), '--org', code, '--prune', '--yes'])).toMatchObject({
    code: 0,
  });
  expect(await exported(code)).toEqual({ ...empty, enums: all.enums });
});

test('a record that another one names is not deleted, and then nothing is applied', async () => {
  const { code, as } = await otherOrg(await exported('test', '--only', 'programs,pursepolicies'));
  const [program] = (await as('admin').get('/programs?code=main')).body;
  expect((await as('client').post('/members', { program: program._id })).status).toBe(201);
  const target = written('inuse.yaml', { programs: [{ code: 'new', name: 'New' }], pursepolicies: [] });
  const { code: exit, err } = await run(['apply', target, '--org', code, '--prune', '--yes']);
  expect([exit, err.join('\n')]).toEqual([
    1,
    expect.stringMatching(/pursepolicies\/main\/Gems\._id is referred to by members /),
  ]);
  expect((await exported(code)).programs?.map(({ code: each }) => each)).toEqual(['main', 'rich']);
});

test('another policy becomes the primary purse in any order of the file', async () => {
  const policy = (name: string, primary: boolean) => ({ name, program: 'main', primary });
  const programs = [{ code: 'main', name: 'Main' }];
  const { code } = await otherOrg({ programs, pursepolicies: [policy('A', false), policy('B', true)] });
  const target = written('primary.yaml', { programs, pursepolicies: [policy('A', true), policy('B', false)] });
  expect(await run(['apply', target, '--org', code, '--yes'])).toMatchObject({ code: 0 });
  expect((await run(['diff', target, '--org', code])).code).toBe(0);
});

test('extension fields are checked by definitions of the same file', async () => {
  const schema = { model: 'Program', name: 'S' };
  const def = { extSchema: schema, field: 'colour', type: 'integer' };
  const program = (colour: unknown) => ({ code: 'main', name: 'Main', ext: { colour } });
  const file = (colour: unknown) => ({ extschemas: [schema], extdefs: [def], programs: [program(colour)] });
  const { code } = await otherOrg();
  const wrong = await run(['apply', written('ext.yaml', file('red')), '--org', code, '--yes']);
  expect([wrong.code, wrong.err.join()]).toEqual([
    1,
    expect.stringContaining('programs[0].ext.colour must be integer'),
  ]);
  expect((await exported(code)).extschemas).toEqual([]);
  expect(await run(['apply', written('ext.yaml', file(7)), '--org', code, '--yes'])).toMatchObject({ code: 0 });
});

test('a change between the differences and the apply is noticed, and nothing is applied', async () => {
  const { code, as } = await otherOrg({ programs: [{ code: 'main', name: 'Main' }] });
  const [program] = (await as('admin').get('/programs')).body;
  const target = written('late.yaml', { programs: [{ code: 'main', name: 'Renamed' }] });
  const input = new PassThrough();
  const lines: string[] = [];
  const changed = { done: false };
  const streams = {
    input,
    out: (line: string) => lines.push(line),
    err: (line: string) => {
      lines.push(line);
      if (!line.includes('Type yes') || changed.done) return;
      changed.done = true;
      void as('admin')
        .put(`/programs/${program._id}`, { name: 'By hand' })
        .then(() => input.end('yes\n'));
    },
  };
  const exit = await runCommand(
    definitionsCommand(server.services.config, streams),
    ['apply', target, '--org', code],
    streams,
  );
  expect([exit, lines.at(-1)]).toEqual([1, expect.stringContaining('changed since the differences were shown')]);
  expect((await exported(code)).programs).toEqual([expect.objectContaining({ name: 'By hand' })]);
});

test('a list of members by ids is left out, and the export says so', async () => {
  const { as, code } = await otherOrg({ programs: [{ code: 'main', name: 'Main' }] });
  const [program] = (await as('admin').get('/programs')).body;
  const { body: member } = await as('client').post('/members', { program: program._id });
  await as('admin').post('/namedlists', { name: 'Some', model: 'Member', ids: [member._id] });
  await as('admin').post('/segments', { name: 'One', kind: 'query', query: { _id: member._id } });
  const { out, err } = await run(['export', '--org', code]);
  expect(err).toEqual([
    `Notice: segments/One: names ${member._id} by id, which another org does not have`,
    'Notice: namedlists/Some: the records that it lists by id are no definitions; the file does not have them',
  ]);
  // What the org itself lists is not taken from it.
  expect(await run(['diff', written('own.yaml', out.join('\n')), '--org', code])).toMatchObject({ code: 0 });
});

test('users, keys and secrets are in no file', async () => {
  const text = JSON.stringify(await exported('test'));
  for (const word of ['password', 'founder', 'username', 'whsec_', 'lk_']) expect(text).not.toContain(word);
});

// A store gives a transaction some time: for so many only when nothing else runs, as in the nightly run.
const many = isLong ? 1000 : 200;

test('many definitions are applied at once, and more than 1,000 are refused before anything is written', async () => {
  const { code } = await otherOrg();
  const products = Array.from({ length: 1001 }, (_, index) => ({ sku: `S-${index}`, name: 'Many' }));
  const refused = await run(['apply', written('many.yaml', { products }), '--org', code, '--yes']);
  expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining('would change 1001 definitions')]);
  const target = written('many.yaml', { products: products.slice(0, many) });
  expect(await run(['apply', target, '--org', code, '--yes'])).toMatchObject({ code: 0 });
  expect((await exported(code, '--only', 'products')).products).toHaveLength(many);
});
