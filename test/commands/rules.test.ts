import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { runCommand } from '#commands/base/runCommand';
import { rulesCommand } from '#commands/rules';
import { earn, openStore, writeRules } from '../publishing/rulesets/store';
import { makePolicy, makeProgram } from '../support/definitions';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'loyalty-command-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const put = (file: string, content: unknown) => writeRules(path.join(dir, file), content);

async function run(args: string[], settings: { MONGODB_URI?: string; ORG?: string } = {}) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line.replaceAll(path.relative('', dir), 'rules'));
  const streams = { input: new PassThrough(), out: add, err: add };
  const config = { ORG: 'demo', dataDir: path.join(dir, 'data'), rulesDir: dir, ...settings };
  const code = await runCommand(rulesCommand(config, streams), args, streams);
  return { code, lines };
}

const failing = {
  ...earn('a', 5),
  tests: [
    { name: 'five', activity: { type: 'Accrual' }, expect: { points: { Points: 5 } } },
    { name: 'six', activity: { type: 'Accrual' }, expect: { points: { Points: 6 } } },
  ],
};

test('check says where definitions come from, and counts rules and tests', async () => {
  await put('demo/earn.json', earn('a', 5));
  expect(await run(['check'])).toEqual({
    code: 0,
    lines: [expect.stringContaining('are those of the demo'), '1 rule in 1 file: 0 faults, 0 warnings'],
  });
});

test('check names every fault with its place and exits 1', async () => {
  await put('demo/earn.json', '{\n  "key": "a",,\n}');
  await put('demo/purse.json', { ...earn('b', 5), actions: [{ type: 'addPoints', purse: 'Pionts', points: 5 }] });
  const { code, lines } = await run(['check']);
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^rules\/demo\/earn\.json:2:14 /));
  expect(lines).toContainEqual(expect.stringMatching(/^rules\/demo\/purse\.json:\d+:\d+ .*"Points"/));
  expect(lines.at(-1)).toMatch(/2 faults/);
});

test('check reads another folder, and says when that is none', async () => {
  await put('elsewhere/demo/earn.json', earn('a', 5));
  expect((await run(['check', path.join(dir, 'elsewhere')])).code).toBe(0);
  const { code, lines } = await run(['check', path.join(dir, 'nowhere')]);
  expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining('No rule files in')]);
});

test('test lists what passed and what failed, and exits 1', async () => {
  await put('demo/earn.json', failing);
  const { code, lines } = await run(['test']);
  expect(code).toBe(1);
  expect(lines.slice(1)).toEqual([
    '✓ demo/a: five',
    '✗ demo/a: six',
    '    expected 6 Points, got 5',
    expect.stringMatching(/^rules\/demo\/earn\.json:\d+:\d+ test "six" fails/),
    '2 tests: 1 passed, 1 failed',
  ]);
});

test('test runs nothing when a file has another fault', async () => {
  await put('demo/earn.json', failing);
  await put('demo/broken.json', '{');
  const { code, lines } = await run(['test']);
  expect(code).toBe(1);
  expect(lines.join('\n')).not.toContain('✓');
  expect(lines.at(-1)).toContain('no test ran');
});

describe('lint', () => {
  const web = { fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Web' };
  const withConditions = (key: string, ...all: unknown[]) => ({ ...earn(key, 5), conditions: { all } });

  test('finds nothing in sound rules, and exits 0', async () => {
    await put('demo/earn.json', [earn('a', 5), withConditions('b', web)]);
    const { code, lines } = await run(['lint']);
    expect([code, lines.slice(1)]).toEqual([0, ['2 rules: 0 findings']]);
  });

  test('names each finding with its place, and exits 1; check does not', async () => {
    const stops = { ...withConditions('stops', web), priority: 9, stop: true };
    const pos = { ...web, value: 'POS' };
    const table = {
      ...earn('t', 1),
      table: { columns: { channel: { fact: 'activity', path: '$.srcChannelType', operator: 'in' } }, csv: 't.csv' },
    };
    await put('demo/a.json', [stops, withConditions('never', web, pos), withConditions('behind', web)]);
    await put('demo/t.json', { ...table, conditions: { all: [pos] } });
    await put('demo/t.csv', 'channel\nPOS|Mobile\nKiosk\n');
    const { code, lines } = await run(['lint']);
    expect(code).toBe(1);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(
        /^rules\/demo\/a\.json:\d+:\d+ "never" never fires: it needs at once that .*"Web", and that .*"POS"$/,
      ),
      expect.stringMatching(
        /^rules\/demo\/a\.json:\d+:\d+ "behind" never fires: .* stops all after it: "stops" \(rules\/demo\/a\.json:2\)$/,
      ),
      expect.stringMatching(/^rules\/demo\/t\.csv:3:1 "t-\w+" never fires: it needs at once/),
      '5 rules: 3 findings',
    ]);
    expect((await run(['check'])).code).toBe(0);
  });

  test('names a fault of the files instead', async () => {
    await put('demo/a.json', { ...earn('a', 5), activityTypes: [] });
    const { code, lines } = await run(['lint']);
    expect([code, lines.at(-1)]).toEqual([
      1,
      expect.stringContaining('1 fault, 0 warnings; lint needs files without fault'),
    ]);
  });
});

describe('with several programs', () => {
  const withPrograms = async (check: (settings: { MONGODB_URI: string; ORG: string }) => Promise<void>) => {
    const store = await openStore();
    try {
      const at = await store.addOrg();
      for (const code of ['club', 'shop']) {
        await makePolicy(at.db, at.author, await makeProgram(at.db, at.author, { code }));
      }
      await check({ MONGODB_URI: at.mongodbUri, ORG: at.org.code });
    } finally {
      await store.close();
    }
  };
  const passing = { ...failing, tests: failing.tests.slice(0, 1) };

  test('each is reported, tested and searched for itself', () =>
    withPrograms(async (settings) => {
      await put('club/earn.json', [passing, { ...earn('b', 1), conditions: { any: [never] } }]);
      await put('shop/earn.json', passing);
      await put('shop/broken.json', '{');
      await put('shpo/earn.json', '{');
      const checked = await run(['check'], settings);
      expect(checked).toEqual({
        code: 1,
        lines: [
          'Programs and purses are those of the database.',
          expect.stringMatching(/^rules\/shop\/broken\.json:1:2 /),
          expect.stringMatching(/^rules\/shpo:1:1 no program has the code "shpo" .*\(warning\)$/),
          'club: 2 rules in 1 file: no fault',
          'shop: 1 rule in 2 files: 1 fault, its rules in force stay',
          'Loaded, these files would change of the rules in force:',
          '  new: club/a',
          '  new: club/b',
          '3 rules in 3 files: 1 fault, 1 warning',
        ],
      });
      const tested = await run(['test'], settings);
      expect(tested.code).toBe(1);
      expect(tested.lines.slice(1)).toEqual([
        '✓ club/a: five',
        expect.stringMatching(/^rules\/shop\/broken\.json:1:2 /),
        '1 test: 1 passed, 0 failed; no test ran in shop, as tests need files without fault',
      ]);
      const linted = await run(['lint'], settings);
      expect(linted.code).toBe(1);
      expect(linted.lines.slice(1)).toEqual([
        expect.stringMatching(/^rules\/shop\/broken\.json:1:2 /),
        expect.stringMatching(/^rules\/club\/earn\.json:\d+:\d+ "b" never fires/),
        '2 rules: 1 finding; not searched because of faults: shop',
      ]);
    }));

  test('a folder that belongs to no program is named even when there is no other', () =>
    withPrograms(async (settings) => {
      await put('demo/earn.json', earn('a', 5));
      expect(await run(['check'], settings)).toMatchObject({
        code: 1,
        lines: [
          expect.anything(),
          expect.stringMatching(/^rules\/demo:1:1 no program has the code "demo".*\(warning\)$/),
          expect.stringContaining('No rule files in'),
        ],
      });
    }));
});

const never = { fact: 'activity', path: '$.srcChannelType', operator: 'in', value: [] };

test('schema writes the file by which editors check rules', async () => {
  expect((await run(['schema'])).code).toBe(0);
  expect(JSON.parse(await readFile(path.join(dir, 'rule.schema.json'), 'utf8'))).toMatchObject({ $defs: { rule: {} } });
});

test('an unknown command exits 1', async () => {
  expect((await run(['chekc'])).code).toBe(1);
});

test('with a database, the names of programs and purses are those of each org', async () => {
  const store = await openStore();
  try {
    const at = await store.addOrg('shop');
    const other = await store.addOrg('other');
    for (const { db, author } of [at, other]) {
      await makePolicy(db, author, await makeProgram(db, author, { code: 'club' }), { name: 'Stars' });
    }
    const stars = { ...earn('a', 5), actions: [{ type: 'addPoints', purse: 'Stars', points: 5 }] };
    await put('club/earn.json', stars);
    await put('@other/club/earn.json', earn('a', 5));
    await put('@nobody/club/earn.json', stars);
    const { code, lines } = await run(['check'], { MONGODB_URI: at.mongodbUri, ORG: 'shop' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'Programs and purses are those of the database.',
      expect.stringContaining('@nobody is skipped'),
      expect.stringMatching(/^rules\/@other\/club\/earn\.json:\d+:\d+ .*Points/),
      'Loaded, these files would change of the rules in force:',
      '  new: club/a',
      expect.stringContaining('1 fault,'),
    ]);
  } finally {
    await store.close();
  }
});

test('test --watch runs again on a change of a rule or CSV file, until Ctrl-C', async () => {
  await put('demo/earn.json', failing);
  const root = path.resolve(__dirname, '../..');
  const args = ['-r', './test/support/registerTypeScript.cjs', 'src/commands/rules.ts', 'test', dir, '--watch'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, DATA_DIR: path.join(dir, 'data') } });
  let output = '';
  const seen = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => output.includes(text) && resolve();
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
    });
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await seen('1 failed');
  await writeFile(path.join(dir, 'demo/earn.json'), JSON.stringify({ ...failing, tests: failing.tests.slice(0, 1) }));
  await seen('1 test: 1 passed, 0 failed');
  const columns = { channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' } };
  const tests = [{ name: 'web', activity: { type: 'Accrual', srcChannelType: 'Web' }, expect: { fired: ['t'] } }];
  await put('demo/t.csv', 'channel\nWeb\n');
  await put('demo/t.json', { ...earn('t', 1), table: { columns, csv: 't.csv' }, tests });
  await seen('✓ demo/t: web');
  await put('demo/t.csv', 'channel\nPOS\n');
  await seen('✗ demo/t: web');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});
