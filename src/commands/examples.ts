import path from 'node:path';
import { Command } from 'commander';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { type CommandApi, withApi } from '#commands/base/withApi';
import { CommandError } from '#commands/base/withDatabase';
import { checkFolders } from '#commands/ruleFiles/checkFolders';
import { reportCheck, reportTests } from '#commands/ruleFiles/reportRules';
import { exampleRecords } from '#exchange/examples/exampleRecords';
import { exampleReferences } from '#exchange/examples/exampleReferences';
import { isDefinition, type LoadedDefinition, loadDefinitions } from '#exchange/examples/loadDefinitions';
import { type Example, exampleNames, readExample } from '#exchange/examples/readExample';
import { type ExampleRuleFile, readRuleFiles, writeRuleFiles } from '#exchange/examples/ruleFiles';
import { runningApi } from '#operations/embedded/apiAddress';
import type { Config } from '#platform/infrastructure/config';
import { faultLine } from '#publishing/rulesets/files/logLoad';
import { LeavesFolder } from '#publishing/rulesets/files/orgRoot';
import { orgRuleFolder } from '#publishing/rulesets/files/ruleFolders';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { resources } from '#server/services/resources';

/** Where the examples are: beside package.json, where npm runs commands. */
const examplesFolder = path.resolve('examples');

/** Makes the command `npm run examples -- list | load <name> | check <name>`, for people who make programs. */
export function examplesCommand(config: Config, streams: CommandStreams, folder = examplesFolder): Command {
  const command = new Command('examples').description('Whole programs to learn from; examples/README.md presents them');
  command
    .command('list')
    .description('List the examples')
    .action(() => list(folder, streams));
  command
    .command('load')
    .description('Make the definitions of an example in the running service and put its rules into force')
    .argument('<name>', 'name of the example, such as coffee')
    .option('--org <code>', 'org', config.ORG)
    .option('--force', 'replace rule files and definitions that differ from those of the example')
    .action(async (name: string, options: LoadOptions) => load(config, await open(folder, name), options, streams));
  command
    .command('check')
    .description('Check the definitions and rule files of an example and run their tests, without a service')
    .argument('<name>')
    .action(async (name: string) => check(await open(folder, name), streams));
  return command;
}

interface LoadOptions {
  org: string;
  force?: boolean;
}

async function list(folder: string, { out }: CommandStreams): Promise<void> {
  for (const name of await exampleNames(folder)) out(`${name}  ${(await readExample(folder, name, resources)).title}`);
}

async function open(folder: string, name: string): Promise<Example> {
  const names = await exampleNames(folder);
  if (names.includes(name)) return readExample(folder, name, resources);
  throw new CommandError(`There is no example ${name}; there are ${names.join(', ')}`);
}

async function check({ definitions, rulesFolder }: Example, { out }: CommandStreams): Promise<void> {
  const references = exampleReferences(await exampleRecords(definitions));
  const folders = { rulesDir: rulesFolder, orgCode: 'example' };
  const source = { description: '', of: async () => references, close: async () => undefined };
  const checked = await checkFolders(folders, source);
  const { lines, summary } = reportCheck(checked);
  const tests = await reportTests(checked);
  // Where files have faults, the report of the tests names them too.
  for (const line of new Set([...lines, ...tests.lines])) out(line);
  if (!tests.summary.startsWith(summary)) out(summary);
  if (!tests.isFine) throw new CommandError(tests.summary);
  out(tests.summary);
}

async function load(config: Config, example: Example, options: LoadOptions, { out }: CommandStreams): Promise<void> {
  const { folder } = orgRuleFolder({ rulesDir: config.rulesDir, orgCode: config.ORG }, options.org);
  const files = await readRuleFiles(example, folder);
  requireReplaceable(files, options);
  const records = await exampleRecords(example.definitions);
  await withApi(config, options.org, async (api) => {
    const target = { db: api.services.db, org: api.org._id, send: api.send };
    const loaded = await loadDefinitions({ ...target, records, replaces: options.force === true });
    for (const line of definitionLines(loaded)) out(line);
    await writeRuleFiles(files, folder).catch(unwritable);
    for (const line of fileLines(files, folder)) out(line);
    for (const line of await publish(api, example)) out(line);
  });
  for (const line of tryLines(config, example)) out(line);
}

/** @throws CommandError naming the rule files that a load would replace by others, unless it may */
function requireReplaceable(files: readonly ExampleRuleFile[], { force }: LoadOptions): void {
  const differing = files.filter(({ present }) => present === 'different').map(({ target }) => shown(target));
  if (differing.length === 0 || force) return;
  throw new CommandError(
    `Nothing was changed: ${differing.join(', ')} differ from the example. ` +
      'Move your own rules to files with other names, or replace them with --force',
  );
}

function unwritable(error: NodeJS.ErrnoException): never {
  if (error instanceof LeavesFolder) {
    throw new CommandError('No rule file is written: a symbolic link leads out of the folder of rules');
  }
  throw new CommandError(
    `${error.path ?? 'A rule file'} cannot be written (${error.code ?? error.message}). The definitions were made. ` +
      'Make the folder writable (or copy the rule files of the example there yourself) and load again',
  );
}

/** Says what was made and what was there, by collection; then each record that was there and differed, with its fields. */
function definitionLines(loaded: readonly LoadedDefinition[]): string[] {
  const made = countLoaded(loaded.filter(({ state }) => state === 'made'));
  const there = countLoaded(loaded.filter(({ state }) => state !== 'made'));
  return [
    `Made: ${made || 'nothing'}`,
    ...(there ? [`There before: ${there}`] : []),
    ...loaded.filter(({ differs }) => differs.length > 0).flatMap(differenceLines),
  ];
}

function differenceLines({ resource, label, state, differs }: LoadedDefinition): string[] {
  const what = `${resource.name} ${label}`;
  if (state === 'changed') {
    return [
      `${what} was there and is now as in the example:`,
      ...differs.map(({ field, stored, defined }) => `  ${field}: ${short(stored)} -> ${short(defined)}`),
    ];
  }
  const fields = differs.map(({ field }) => field).join(', ');
  const remedy = isDefinition(resource) ? '; --force changes it' : '';
  return [`${what} was there and differs from the example in ${fields}; it stays as it is${remedy}`];
}

/** The most characters of a value in a line. */
const shownMax = 200;

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

function countLoaded(loaded: readonly LoadedDefinition[]): string {
  const paths = [...new Set(loaded.map(({ resource }) => resource.path))];
  return paths.map((at) => `${loaded.filter(({ resource }) => resource.path === at).length} ${at}`).join(', ');
}

function fileLines(files: readonly ExampleRuleFile[], folder: string): string[] {
  const count = (present: ExampleRuleFile['present']) => files.filter((file) => file.present === present).length;
  return [
    `Rule files in ${shown(folder)}: ${count('none')} written, ${count('different')} replaced, ${count('same')} the same`,
  ];
}

/** Puts the rule files into force. @throws CommandError with the faults of the example's programs */
async function publish({ services, org }: CommandApi, { programs }: Example): Promise<string[]> {
  const { errors, version } = await services.ruleSets.publish(org._id);
  const refused = errors.filter(({ file }) => programs.some((code) => file === code || file.startsWith(`${code}/`)));
  if (refused.length > 0) {
    throw new CommandError(
      ['The rules are not in force. Mend these faults and load again:', ...refused.map(faultLine)].join('\n'),
    );
  }
  const rules = ((await ruleSetInForce(services.db, org._id))?.drafts ?? []).filter(
    ({ programCode, status }) => programs.includes(programCode) && status === 'active',
  );
  return [
    `Rule set ${version} is in force; rules of ${programs.join(', ')}:`,
    ...rules.map(({ key, name }) => `  ${key}: ${name}`),
  ];
}

/** Two requests to try: what the sample activity of an example would earn and why, and the activity itself. */
export function tryLines(config: Config, { sample }: Pick<Example, 'sample'>): string[] {
  const { url, how } = apiAddress(config);
  const headers = `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  const data = `-d '${JSON.stringify(sample).replaceAll("'", "'\\''")}'`;
  return [
    `Try it${how}, with TOKEN as the end of npm start shows: what it would earn and why, then earn it:`,
    `  curl -s '${url}/api/v1/activity?persist=false&explain=true' ${headers} ${data}`,
    `  curl -s '${url}/api/v1/activity' ${headers} ${data}`,
  ];
}

/** Where the service listens. Only a service with private servers in DATA_DIR records it. */
function apiAddress({ MONGODB_URI, dataDir, HOST, PORT }: Config): { url: string; how: string } {
  const running = MONGODB_URI === undefined ? runningApi(dataDir) : undefined;
  const url = (running ?? `http://${HOST}:${PORT}`).replace('//0.0.0.0:', '//127.0.0.1:');
  return { url, how: running ? '' : ' (where HOST and PORT of this command say; the service may listen elsewhere)' };
}

function shown(file: string): string {
  return path.relative('', file);
}

if (require.main === module) runProcess(examplesCommand);
