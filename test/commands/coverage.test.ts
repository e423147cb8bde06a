import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { runCommand } from '#commands/base/runCommand';
import { rulesCommand } from '#commands/rules';
import { earn, writeRules } from '../publishing/rulesets/store';
import { openWorld, type World } from '../support/world';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'loyalty-coverage-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const put = (file: string, content: unknown) => writeRules(path.join(dir, file), content);

async function run(args: string[] = [], settings: { MONGODB_URI?: string; ORG?: string } = {}) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line.replaceAll(path.relative('', dir), 'rules'));
  const streams = { input: new PassThrough(), out: add, err: add };
  const config = { ORG: 'demo', dataDir: path.join(dir, 'data'), rulesDir: dir, ...settings };
  const code = await runCommand(rulesCommand(config, streams), ['coverage', ...args], streams);
  return { code, lines: lines.slice(1) };
}

const channel = { fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Web' };
const value = { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 10 };
const test1 = (name: string, activity: object, expected: object) => ({
  name,
  activity: { type: 'Accrual', ...activity },
  expect: expected,
});

describe('coverage by tests', () => {
  test('names rules that no test hits, and conditions that were never both true and false, with their places', async () => {
    const tests = [
      test1('web', { srcChannelType: 'Web', value: 20 }, { fired: ['a'] }),
      test1('shop', { srcChannelType: 'POS', value: 20 }, { notFired: ['a', 'b'] }),
    ];
    const text = JSON.stringify([
      { ...earn('a', 5), conditions: { all: [channel, { any: [value] }] }, tests },
      { ...earn('b', 5), conditions: { all: [{ condition: 'large' }, channel] } },
      { ...earn('c', 5), conditions: { not: value } },
      { namedCondition: 'large', conditions: { all: [{ ...value, value: 1000 }] } },
    ]).replaceAll('{"fact"', '\n{"fact"');
    await put('demo/a.json', text);
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^rules\/demo\/a\.json:\d+:\d+ demo\/b is hit by no test$/),
      expect.stringMatching(/^rules\/demo\/a\.json:\d+:\d+ demo\/c is hit by no test$/),
      "rules/demo/a.json:6:70 never true in a test: the activity's value is above 1000",
      "rules/demo/a.json:3:70 never false in a test: the activity's value is above 10",
      'rules/demo/a.json:4:73 never true in a test: the activity\'s source channel type is "Web"',
      "rules/demo/a.json:5:70 in no test: the activity's value is above 10",
      '3 rules: 1 hit by tests',
      '5 conditions: 1 both true and false in tests',
    ]);
  });

  test('names rows of tables by their lines in the CSV file', async () => {
    const { value: _value, ...column } = channel;
    const tests = [test1('web', { srcChannelType: 'Web' }, { fired: ['t'] })];
    await put('demo/t.json', { ...earn('t', 5), table: { columns: { channel: column }, csv: 't.csv' }, tests });
    await put('demo/t.csv', 'channel\nWeb\nPOS\n');
    const { lines } = await run();
    expect(lines).toEqual([
      expect.stringMatching(/^rules\/demo\/t\.csv:3:1 demo\/t-\w+ is hit by no test$/),
      'rules/demo/t.csv:2:1 never false in a test: the activity\'s source channel type is "Web"',
      'rules/demo/t.csv:3:1 never true in a test: the activity\'s source channel type is "POS"',
      '2 rules: 1 hit by tests',
      '2 conditions: 0 both true and false in tests',
    ]);
  });

  test('needs files without fault, and a database for days', async () => {
    await put('demo/a.json', earn('a', 5));
    expect(await run(['--days', '3'])).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('--days needs a database')],
    });
    expect((await run(['--days', 'x'])).code).toBe(1);
    await put('demo/a.json', { ...earn('a', 5), tests: [test1('six', {}, { points: { Points: 6 } })] });
    const { code, lines } = await run();
    expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining('coverage needs files without fault')]);
  });
});

describe('coverage by past activities', () => {
  let world: World;
  const rules = [
    earn('used', 5),
    { ...earn('idle', 5), conditions: { all: [channel] } },
    { ...earn('off', 5), status: 'paused' },
  ];
  beforeAll(async () => {
    world = await openWorld({ rules });
    const memberID = (await world.addMember())._id.toHexString();
    await world.server.as('client').post('/activity', { type: 'Accrual', memberID, value: 50 });
  });
  afterAll(() => world.close());

  test('names active rules that no activity of the last days hit', async () => {
    await mkdir(path.join(dir, 'main'));
    await put('main/rules.json', rules);
    const { MONGODB_URI } = world.services.config;
    const { code, lines } = await run(['--days', '2'], { ORG: 'test', ...(MONGODB_URI && { MONGODB_URI }) });
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes('activit'))).toEqual([
      expect.stringMatching(/^rules\/main\/rules\.json:\d+:\d+ main\/idle was hit by no activity of the last 2 days$/),
      expect.stringContaining('in no test: the activity'),
      '3 rules: 0 hit by tests, 2 by activities of the last 2 days or not active',
    ]);
  });
});
