import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type CommandStreams, runCommand } from '#commands/base/runCommand';
import { freePort } from '#operations/embedded/freePort';
import type { Config } from '#platform/infrastructure/config';
import { openTestServices, type TestServices } from '../support/services';

type Make = (config: Config, streams: CommandStreams) => Command;

const root = path.resolve(__dirname, '../..');

/** Every command that package.json runs, by its file. */
const makers = Object.values(
  (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
).flatMap((script) => {
  const name = /dist\/src\/commands\/(\w+)\.js/.exec(script)?.[1];
  return name === undefined ? [] : [[name, name] as const];
});

let services: TestServices;
let folder: string;
let config: Config;
beforeAll(async () => {
  services = await openTestServices({});
  folder = mkdtempSync(path.join(tmpdir(), 'loyalty-sentences-'));
  for (const name of ['rules', 'data', 'folder', 'closed']) mkdirSync(path.join(folder, name));
  config = { ...services.config, rulesDir: path.join(folder, 'rules'), dataDir: path.join(folder, 'data') };
  for (const name of ['file.yaml', 'file.csv']) writeFileSync(path.join(folder, name), 'tiers: []\n');
  writeFileSync(path.join(folder, 'binary'), Buffer.from([0x6e, 0x61, 0xff, 0xfe, 0x3a, 0x80, 0x0a]));
  writeFileSync(path.join(folder, 'closed.yaml'), 'tiers: []\n');
  chmodSync(path.join(folder, 'closed.yaml'), 0);
});
afterAll(async () => {
  await services.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command line in this process; returns the exit code and what was written. */
async function run(make: Make, args: string[], own: Partial<Config> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    input: Readable.from(['a long password\n']),
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
  };
  const code = await runCommand(make({ ...config, ...own }, streams), args, streams);
  return { code, out, err };
}

/** What an argument or an option is given, by its name; others get a word. */
const sample: Record<string, string> = {
  version: '1',
  name: 'coffee',
  role: 'admin',
  members: '1',
  items: '1',
  from: '2026-12-01',
  admin: 'ann',
};

interface Line {
  make: Make;
  title: string;
  args: string[];
  /** The places of arguments that name a file or a folder. */
  files: number[];
}

/** The lines of a command: one for each of its subcommands, with every argument and option that it needs. */
function linesOf(make: Make): Line[] {
  const nowhere = { input: Readable.from([]), out: () => undefined, err: () => undefined };
  const walk = (command: Command, before: string[]): Line[] => {
    if (command.commands.length > 0) return command.commands.flatMap((each) => walk(each, [...before, each.name()]));
    const isFile = (name: string) => ['file', 'folder', 'dir'].includes(name);
    const wanted = command.registeredArguments.filter((each) => each.required || isFile(each.name()));
    const named = wanted.map((each) => ({ name: each.name(), value: each.argChoices?.[0] ?? sample[each.name()] }));
    const plain = named.map(({ name, value }) => value ?? (isFile(name) ? path.join(folder, 'file.yaml') : 'word'));
    const options = command.options
      .filter(({ mandatory, long }) => mandatory || long === '--yes')
      .filter(({ defaultValue }) => defaultValue === undefined)
      .flatMap((each) => [each.long ?? '', ...(each.required ? [sample[each.attributeName()] ?? 'word'] : [])]);
    const files = named.flatMap(({ name }, n) => (isFile(name) ? [before.length + n] : []));
    const title = [command.parent?.name() ?? '', command.name()].join(' ').trim();
    return [{ make, title, args: [...before, ...plain, ...options], files }];
  };
  return walk(make({ ...config, ORG: 'test' }, nowhere), []);
}

async function allLines(): Promise<Line[]> {
  const made = makers.map(async ([name]) => {
    const module: Record<string, Make> = await import(`../../src/commands/${name}`);
    const make = module[`${name}Command`];
    if (!make) throw new Error(`src/commands/${name}.ts exports no ${name}Command`);
    return linesOf(make);
  });
  return (await Promise.all(made)).flat();
}

/** What is wrong with what a command said; empty: nothing. */
function faultsOf({ title }: Line, { code, out, err }: Awaited<ReturnType<typeof run>>, succeeds: boolean): string[] {
  const all = [...out, ...err].join('\n');
  const last = err.at(-1) ?? '';
  const says = /check|correct|give|name|save|change|remove|start|must|set|see|\d failures|need|choose|there is no/i;
  return [
    ...(code === 0 && !succeeds ? ['it ended with 0'] : []),
    ...(/^\s+at /m.test(all) ? ['it has a stack'] : []),
    ...(/\bMongo\w*Error|ReplyError|MaxRetries|\bE(?:NOENT|ISDIR|ACCES):/.test(all) ? ["it has a driver's error"] : []),
    ...(code !== 0 && !(last.split(/\s+/).length >= 4 && says.test(err.join('\n')))
      ? ['it does not say what to do']
      : []),
  ].map((fault) => `${title}: ${fault}: ${JSON.stringify(err)}`);
}

/** Commands that need no store. */
const needNone = ['rules reference', 'examples list', 'examples check', 'migrate shards'];

async function faultsOfAll(
  lines: readonly Line[],
  own: Partial<Config>,
  mayEndWell: (line: Line) => boolean,
  atOnce = 4,
) {
  const actual: string[] = [];
  const waiting = [...lines];
  const worker = async () => {
    for (let line = waiting.shift(); line; line = waiting.shift())
      actual.push(...faultsOf(line, await run(line.make, line.args, own), mayEndWell(line)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return actual;
}

test('the registry has every file that runs as a command, with lines to run', async () => {
  expect(makers.length).toBeGreaterThanOrEqual(13);
  expect((await allLines()).length).toBeGreaterThan(35);
});

test('without MongoDB, every command that needs it says what to do', async () => {
  const MONGODB_URI = `mongodb://127.0.0.1:${await freePort()}/loyalty`;
  const lines = await allLines();
  // All at once: they only wait.
  const mayEndWell = ({ title }: Line) => needNone.includes(title);
  expect(await faultsOfAll(lines, { MONGODB_URI }, mayEndWell, lines.length)).toEqual([]);
}, 60_000);

test('with another password of MongoDB, every command that needs it says what to do', async () => {
  const uri = new URL(config.MONGODB_URI ?? '');
  Object.assign(uri, { username: 'nobody', password: 'other' });
  const lines = await allLines();
  const mayEndWell = ({ title }: Line) => needNone.includes(title);
  expect(await faultsOfAll(lines, { MONGODB_URI: uri.href }, mayEndWell)).toEqual([]);
}, 60_000);

test.each([
  ['nobody listens as Redis', async () => `redis://127.0.0.1:${await freePort()}`],
  [
    'Redis has another password',
    async () => Object.assign(new URL(config.REDIS_URL ?? ''), { username: 'nobody', password: 'other' }).href,
  ],
])(
  'where %s, a command does its work or says what to do',
  async (_what, urlOf) => {
    const lines = (await allLines()).filter(({ title }) => !title.endsWith('remove'));
    expect(await faultsOfAll(lines, { REDIS_URL: await urlOf() }, () => true)).toEqual([]);
  },
  120_000,
);

test('a file that is missing, unreadable, a folder or no text is named in a sentence', async () => {
  const bad = [
    'missing.yaml',
    'folder',
    'binary',
    'file.yaml/below',
    ...(process.getuid?.() === 0 ? [] : ['closed.yaml']),
  ];
  const lines = (await allLines()).flatMap((line) =>
    line.files.flatMap((at) =>
      bad.map((name) => ({
        ...line,
        title: `${line.title} ${name}`,
        args: line.args.map((arg, n) => (n === at ? path.join(folder, name) : arg)),
      })),
    ),
  );
  expect(lines.length).toBeGreaterThan(30);
  // A new folder is what a backup wants.
  const mayEndWell = ({ title }: Line) => title.startsWith('backup missing') || title.startsWith('import');
  expect(await faultsOfAll(lines, {}, mayEndWell)).toEqual([]);
}, 120_000);
