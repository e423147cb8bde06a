import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { type CommandStreams, runCommand } from '#commands/base/runCommand';
import { examplesCommand } from '#commands/examples';
import { rulesCommand } from '#commands/rules';
import type { Config } from '#platform/infrastructure/config';
import { type Client, client } from '../../support/client';
import { quickAjv } from '../../support/quickAjv';
import { drawn } from '../../support/scale';
import { openTestServer } from '../../support/server';
import { type ExampleRow, exampleRows } from './exampleTable';

const folder = path.resolve(__dirname, '../../../examples');
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

let server: Awaited<ReturnType<typeof openTestServer>>;
let rulesDir: string;
beforeAll(async () => {
  rulesDir = mkdtempSync(path.join(tmpdir(), 'loyalty-examples-'));
  server = await openTestServer({ rulesDir, ORG: 'test' });
});
afterAll(async () => {
  await server.close();
  rmSync(rulesDir, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  runWith((config: Config, streams: CommandStreams) => examplesCommand(config, streams, folder), args);

/** Runs a command line; returns the exit code and the lines that the command wrote. */
async function runWith(make: typeof rulesCommand | typeof examplesCommand, args: string[]) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const streams = { input: new PassThrough(), out: add, err: add };
  const code = await runCommand(make(server.services.config, streams), args, streams);
  return { code, lines };
}

test('every example is listed by the command and by the README of examples', async () => {
  const { lines } = await run('list');
  expect(lines.map((line) => line.split('  ')[0])).toEqual([...names].sort());
  const listed = [...read('README.md').matchAll(/^\| \[(\w+)\]\(\1\/README\.md\)/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...names].sort());
});

/** What the files say is tried for every example; the seed of a run says which one is loaded. */
const loaded = drawn(names);

describe.each(names)('the files of %s', (name) => {
  test('have no fault and no warning, and their tests pass', async () => {
    const { code, lines } = await run('check', name);
    expect([code, lines.filter((line) => line.startsWith('✗'))]).toEqual([0, []]);
    expect(lines.at(-2)).toMatch(/: 0 faults, 0 warnings$/);
    expect(lines.at(-1)).toMatch(/^\d+ tests: \d+ passed, 0 failed$/);
  });

  test('have a test of every rule', async () => {
    const entries = ruleFilesOf(name).flatMap((file) => JSON.parse(read(file)));
    const rules: { key: string; tests?: unknown[] }[] = entries.filter((entry) => 'key' in entry);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ tests = [] }) => tests.length === 0)).toEqual([]);
  });
});

describe.each(loaded)('%s', (name) => {
  test('is loaded, and loading again changes nothing', async () => {
    const first = await run('load', name);
    expect(first).toMatchObject({ code: 0, lines: expect.arrayContaining([expect.stringMatching(/ is in force; /)]) });
    const { code, lines } = await run('load', name);
    expect(code).toBe(0);
    expect(lines[0]).toBe('Made: nothing');
    expect(lines[1]).toBe(first.lines[0]?.replace('Made', 'There before'));
    expect(lines[2]).toMatch(/: 0 written, 0 replaced, \d+ the same$/);
    expect(lines.slice(3)).toEqual(first.lines.slice(2));
  });

  test('has activities that earn what its README says', async () => {
    const till = client(server.url, server.services.users.admin.token);
    const rows = exampleRows(read(`${name}/README.md`));
    expect(rows.length).toBeGreaterThan(5);
    const results: ExampleRow[] = [];
    const ids: string[] = [];
    let today = new Date(0);
    for (const row of rows) {
      // A row with an earlier date is a late claim.
      today = new Date(Math.max(today.getTime(), Date.parse(row.activity.date)));
      server.services.clock.set(today);
      const { points, rules, id } = await post(till, row, ids);
      results.push({ ...row, points, rules });
      ids.push(id);
    }
    expect(results).toEqual(rows);
    await explains(till, ids, results);
  });

  test('has no difference in a simulation of its own files', async () => {
    const { code, lines } = await runWith(rulesCommand, ['simulate', '--program', name]);
    expect(code).toBe(0);
    const actual = lines.filter((line) => / activities: | is not stored for /.test(line));
    expect(actual).toEqual([expect.stringMatching(/: 0 would get other points, 0 would be refused$/)]);
  });

  test('has no fault in its files by the schema of the org', async () => {
    const { body } = await server.as('program-manager').get('/rules/schema');
    const fits = quickAjv({ formats: { date: true } }).compile(body);
    for (const file of ruleFilesOf(name)) {
      fits(JSON.parse(read(file)));
      expect([file, fits.errors]).toEqual([file, null]);
    }
  });
});

/** The paths of the rule files of an example, without tables. */
function ruleFilesOf(name: string): string[] {
  const files = readdirSync(path.join(folder, name, 'rules'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.json')).map((file) => path.join(name, 'rules', file));
}

/** Expects that the explanation of each past activity names the rules that fired, in words. */
async function explains(till: Client, ids: readonly string[], rows: readonly ExampleRow[]) {
  for (const [index, id] of ids.entries()) {
    const { status, body } = await till.get(`/activityhistories/${id}/explain`);
    const fired = body.ruleMatch.filter((match: { fired: boolean }) => match.fired);
    expect(status).toBe(200);
    expect(fired.map(({ key }: { key: string }) => key).sort()).toEqual(rows[index]?.rules);
    expect(fired.every(({ sentence }: { sentence: string }) => sentence.startsWith('It fired'))).toBe(true);
  }
}

/** Posts the activity of a row, and says what it changed. */
async function post(till: Client, { member, activity, points }: ExampleRow, ids: readonly string[]) {
  const before = await balances(till, member);
  const { cancel, ...body } = activity;
  const answer = cancel
    ? await till.post(`/activity/${ids[cancel - 1]}/cancel`, body)
    : await till.post('/activity?explain=true', { loyaltyID: member, ...body });
  expect(answer).toMatchObject({ status: 200, body: { result: { errors: [], data: { status: 'Processed' } } } });
  const after = await balances(till, member);
  const matches: { key: string; fired: boolean }[] = answer.body.result.ruleMatch ?? answer.body.ruleMatch ?? [];
  return {
    points: Object.fromEntries(Object.keys(points).map((purse) => [purse, (after[purse] ?? 0) - (before[purse] ?? 0)])),
    rules: [...new Set(matches.filter(({ fired }) => fired).map(({ key }) => key))].sort(),
    id: answer.body.result.data.activityId as string,
  };
}

/** The balances of a member by the names of its purses, after everything that is due. */
async function balances(till: Client, loyaltyID: string): Promise<Record<string, number>> {
  const { body: found } = await till.get(`/members?loyaltyID=${loyaltyID}`);
  const { body: purses } = await till.get(`/members/${found[0]._id}/purses`);
  return Object.fromEntries(purses.map(({ name, balance }: { name: string; balance: number }) => [name, balance]));
}

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}
