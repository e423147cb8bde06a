import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { runCommand } from '#commands/base/runCommand';
import { rulesCommand } from '#commands/rules';
import { earnRule, openWorld, type World } from '../support/world';

let world: World;
let member: string;
let dir: string;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], policies: [{ costPerPoint: 0.01 }] });
  member = (await world.addMember())._id.toHexString();
  for (const date of ['2026-03-01T10:00:00.000Z', '2026-04-01T10:00:00.000Z']) {
    await world.server.as('client').post('/activity', { type: 'Accrual', memberID: member, value: 50, date });
  }
  dir = path.join(world.rulesDir, 'changed');
  await mkdir(path.join(dir, 'main'), { recursive: true });
});
afterAll(() => world.close());

const put = (content: unknown) => writeFile(path.join(dir, 'main', 'rules.json'), JSON.stringify(content));
const twice = {
  ...earnRule,
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 2 } }],
};

async function run(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const streams = {
    input: new PassThrough(),
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
  };
  const { config } = world.services;
  const settings = { ...config, ORG: 'test', rulesDir: world.rulesDir };
  const code = await runCommand(rulesCommand(settings, streams), ['simulate', ...args], streams);
  return { code, out, err };
}

test('a table shows what changed files would have done', async () => {
  await put([twice]);
  const { code, out } = await run('--dir', dir);
  expect(code).toBe(0);
  expect(out.slice(0, 3)).toEqual([
    '2 activities: 2 would get other points, 0 would be refused',
    'Points 100 -> 200 (+100), liability +1',
    'Members 1: 1 win, 0 lose, 0 stay',
  ]);
  expect(out).toContainEqual(expect.stringMatching(/^main\/earn +changed +2 +2 +100 +200 +\+100$/));
  expect(out).toContainEqual(expect.stringMatching(new RegExp(`^${member} +100 +200 +\\+100$`)));
});

test('dates, program and sample narrow the simulation', async () => {
  await put([twice]);
  const { out } = await run('--dir', dir, '--from', '2026-03-15', '--program', 'main', '--sample', '1');
  expect(out[0]).toContain('1 activities');
});

test('files with faults are named with file, line and column, and exit 1', async () => {
  await put([{ ...twice, actions: [{ type: 'addPoints', purse: 'Pionts', points: 1 }] }]);
  const { code, err } = await run('--dir', dir);
  expect([code, err[0], err.at(-1)]).toEqual([
    1,
    expect.stringMatching(/^main\/rules\.json:\d+:\d+ .*Points/),
    'Rules with faults cannot be simulated',
  ]);
});

test('a folder that belongs to no program is named; when it may be a misspelt one, nothing is simulated', async () => {
  await put([twice]);
  await mkdir(path.join(dir, 'mian'));
  await writeFile(path.join(dir, 'mian', 'rules.json'), '[]');
  const beside = await run('--dir', dir);
  expect([beside.code, beside.err[0]]).toEqual([
    0,
    'mian:1:1 no program has the code "mian" (did you mean "main"?); its rule files are not read (warning)',
  ]);
  await rm(path.join(dir, 'main'), { recursive: true });
  const instead = await run('--dir', dir);
  expect([instead.code, instead.out]).toEqual([1, []]);
});

test.each([
  [['--from', 'yesterday']],
  [['--sample', '2']],
  [['--program', 'nope']],
  [['--dir', '/nowhere']],
  [['--unknown']],
])('%j exits 1', async (args) => {
  expect((await run(...args)).code).toBe(1);
});

test('--help lists the options and exits 0', async () => {
  const { code, out } = await run('--help');
  expect([code, out.join('\n')]).toEqual([0, expect.stringContaining('--sample')]);
});
