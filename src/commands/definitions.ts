import { writeFile } from 'node:fs/promises';
import { ObjectId } from 'bson';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type FieldError, ServiceError } from '#base/common/errors';
import type { Resource } from '#base/schema/resource';
import { confirmed } from '#commands/base/confirm';
import { readTextFile } from '#commands/base/readTextFile';
import { type CommandStreams, errorLines, runProcess } from '#commands/base/runCommand';
import { type CommandServices, withServices } from '#commands/base/withApi';
import { CommandError } from '#commands/base/withDatabase';
import { applyDefinitions, changesMax } from '#exchange/definitions/applyDefinitions';
import { definitionPaths, definitionResources } from '#exchange/definitions/definitionResources';
import { exportNotices, exportText, type FileFormat, fileFormats } from '#exchange/definitions/exportDefinitions';
import { planDefinitions } from '#exchange/definitions/planDefinitions';
import { type PlanReport, planReport, reportLines } from '#exchange/definitions/planReport';
import {
  type DefinitionFile,
  definitionFileLimits,
  readDefinitionFile,
} from '#exchange/definitions/readDefinitionFile';
import { readStoredDefinitions } from '#exchange/definitions/storedDefinitions';
import type { Principal } from '#platform/auth/principal';
import type { Config } from '#platform/infrastructure/config';
import { atOrgTime } from '#platform/orgs/orgClock';
import { pickOrgVersions } from '#platform/orgs/orgVersions';
import { collectPermissions } from '#records/users/permissions';

/** Makes the command `npm run definitions -- export | diff <file> | apply <file>`: definitions as files. */
export function definitionsCommand(config: Config, streams: CommandStreams): Command {
  const command = new Command('definitions').description('Definitions as a file: from one org to another');
  const org = () => new Option('--org <code>', 'org').default(config.ORG);
  command
    .command('export')
    .description('Write the definitions of an org, with codes and names in place of ids')
    .addOption(org())
    .addOption(new Option('--format <format>').choices(fileFormats).default('yaml'))
    .option('--out <file>', 'file to write; otherwise the output')
    .option('--only <paths>', 'these collections, separated by commas', readPaths)
    .option('--without <paths>', 'all collections but these, such as locations,products', readPaths)
    .action((options: ExportOptions) => write(config, options, streams));
  command
    .command('diff')
    .description('Say what apply would create, change and delete. Exits with 0: nothing, 1: something, 2: an error')
    .argument('<file>', 'YAML or JSON; - reads the input')
    .addOption(org())
    .option('--prune', 'also what the sections of the file do not have, to delete')
    .option('--json', 'as JSON')
    .action((file: string, options: DiffOptions) => diff(config, file, options, streams));
  command
    .command('apply')
    .description('Show the differences, ask, and apply all of them or none')
    .argument('<file>', 'YAML or JSON')
    .addOption(org())
    .option('--prune', 'delete what the sections of the file do not have')
    .option('--yes', 'do not ask')
    .action((file: string, options: ApplyOptions) => apply(config, file, options, streams));
  return command;
}

interface ExportOptions {
  org: string;
  format: FileFormat;
  out?: string;
  only?: string[];
  without?: string[];
}

interface DiffOptions {
  org: string;
  prune?: boolean;
  json?: boolean;
}

interface ApplyOptions {
  org: string;
  prune?: boolean;
  yes?: boolean;
}

function readPaths(value: string): string[] {
  const paths = value.split(',').map((each) => each.trim());
  const unknown = paths.filter((each) => !definitionPaths.includes(each));
  if (unknown.length === 0) return paths;
  throw new InvalidArgumentError(`There is no ${unknown.join(', ')}; there are ${definitionPaths.join(', ')}.`);
}

async function write(config: Config, options: ExportOptions, { out, err }: CommandStreams): Promise<void> {
  const { only = definitionPaths, without = [] } = options;
  const chosen = definitionResources.filter(({ path }) => only.includes(path) && !without.includes(path));
  await withServices(config, options.org, async ({ services, org }) => {
    const stored = await readStoredDefinitions(services.db, org._id, chosen);
    const text = exportText(stored, chosen, options.format);
    for (const notice of exportNotices(stored, chosen)) err(`Notice: ${notice}`);
    if (options.out === undefined) for (const line of text.trimEnd().split('\n')) out(line);
    else {
      await writeFile(options.out, text, { mode: 0o600 });
      err(`Wrote ${countIn(stored.all, chosen)} definitions of ${options.org} to ${options.out}`);
    }
  });
}

function countIn(all: readonly { resource: Resource }[], chosen: readonly Resource[]): number {
  return all.filter(({ resource }) => chosen.includes(resource)).length;
}

async function diff(config: Config, name: string, options: DiffOptions, streams: CommandStreams): Promise<void> {
  const report = await reported(config, name, options, streams).catch((error: unknown) => {
    throw new CommandError(errorLines(error).join('\n'), 2);
  });
  if (options.json) streams.out(JSON.stringify(report, null, 2));
  else for (const line of reportLines(report)) streams.out(line);
  if (!report.isSame) throw new CommanderError(1, 'definitions.differ', 'the definitions differ');
}

async function reported(config: Config, name: string, options: DiffOptions, streams: CommandStreams) {
  const file = readDefinitionFile(await readDefinitionText(name, streams));
  requireReadable(file, name);
  return withServices(config, options.org, (opened) => planned(opened, { file, name, prune: options.prune === true }));
}

interface Options {
  file: DefinitionFile;
  name: string;
  prune: boolean;
}

/** @throws CommandError with a line for each fault of the file */
async function planned({ services, org }: CommandServices, { file, name, prune }: Options): Promise<PlanReport> {
  const { plan, faults } = planDefinitions(
    file,
    await readStoredDefinitions(services.db, org._id, file.sections),
    prune,
  );
  if (faults.length > 0) throw faulty(faults, file, name);
  return planReport(plan);
}

function requireReadable(file: DefinitionFile, name: string): void {
  if (file.faults.length > 0) throw faulty(file.faults, file, name);
}

function faulty(faults: readonly FieldError[], file: DefinitionFile, name: string): CommandError {
  const lines = faults.map(({ path, message }) =>
    `${name}:${file.positionOf(path)} ${path} ${message}`.replace('  ', ' '),
  );
  return new CommandError([...lines, 'Nothing was applied'].join('\n'));
}

async function apply(config: Config, name: string, options: ApplyOptions, streams: CommandStreams): Promise<void> {
  const file = readDefinitionFile(await readDefinitionText(name, streams));
  requireReadable(file, name);
  const request = { file, name, prune: options.prune === true };
  await withServices(config, options.org, async (opened) => {
    const agreed = await planned(opened, request);
    for (const line of reportLines(agreed)) streams.out(line);
    if (agreed.isSame) return;
    const total = agreed.created.length + agreed.changed.length + agreed.deleted.length;
    if (total > changesMax) fail(tooMany(total));
    if (!options.yes && !(await confirmed(streams, `Apply this to the org ${options.org}?`))) {
      throw new CommandError('Nothing was applied');
    }
    await applyDefinitions({
      services: atOrgTime(opened.services, opened.org.sandbox ?? {}),
      principal: adminPrincipal(opened),
      file,
      prune: request.prune,
      agreed,
      onWritten: (count) => count % 100 === 0 && streams.err(`${count} of ${total}`),
    }).catch((error: unknown) => refused(error, request));
    streams.out(`Applied to the org ${options.org}`);
  });
}

function tooMany(total: number): string {
  const remedy = 'apply the sections in files of their own, and load catalogs in bulk';
  return `The file would change ${total} definitions, and one apply may change ${changesMax}: ${remedy}`;
}

function refused(error: unknown, { file, name }: Options): never {
  if (error instanceof ServiceError && error.details.errors) throw faulty(error.details.errors, file, name);
  throw error;
}

function adminPrincipal({ services, org, admin }: CommandServices): Principal {
  return {
    org: org._id,
    userId: admin._id,
    username: admin.username,
    sessionId: new ObjectId(),
    permissions: collectPermissions(admin.roles, services.resources),
    versions: pickOrgVersions(org, services.clock.now()),
  };
}

async function readDefinitionText(name: string, { input }: CommandStreams): Promise<string> {
  if (name !== '-') return readTextFile(name);
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > definitionFileLimits.maxBytes) break;
  }
  return text;
}

function fail(message: string): never {
  throw new CommandError(message);
}

if (require.main === module) runProcess(definitionsCommand);
