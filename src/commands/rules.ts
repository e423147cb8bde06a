import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError } from '#commands/base/withDatabase';
import { changeLines } from '#commands/ruleFiles/changeLines';
import { checkFolders, type FolderCheck, requireRuleFiles } from '#commands/ruleFiles/checkFolders';
import { reportLint } from '#commands/ruleFiles/reportLint';
import { type RuleReport, reportCheck, reportTests } from '#commands/ruleFiles/reportRules';
import { ruleReferencesFor } from '#commands/ruleFiles/ruleReferencesFor';
import { ruleJsonSchema } from '#engine/rules/editor/ruleJsonSchema';
import type { Config } from '#platform/infrastructure/config';
import type { RuleFolders } from '#publishing/rulesets/files/ruleFolders';
import { serializedByKey } from '#publishing/rulesets/files/serializedByKey';
import { watchFiles } from '#publishing/rulesets/files/watchFiles';
import { ruleReferenceText } from '#publishing/rulesets/reference/ruleReferenceText';
import { schemaOfOrg } from '#publishing/rulesets/schemaOfOrg';
import { orgResource } from '#records/users/org';
import { coverageCommand } from './coverage';
import { explain } from './explain';
import { restoreNamedRules } from './restoreRules';
import { rollBackRules } from './rollBackRules';
import { scheduleCommands } from './scheduleRules';
import { simulateCommand } from './simulate';

type CommandConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'rulesDir' | 'ORG'>;
type Report = (check: FolderCheck, of: Checked) => RuleReport | Promise<RuleReport>;

/** The folders that were checked, and the database with the rules in force. */
interface Checked {
  folders: RuleFolders;
  db: Connection | undefined;
}

const dirText = 'dir holds the program folders, default RULES_DIR';

/**
 * Makes the command `npm run rules -- check | test | lint | coverage | explain | simulate | rollback | restore |
 * schedule | withdraw | schema | reference`, for people who write rules. The exit code is 1 when rules have faults; `lint` also ends
 * with 1 when it has findings.
 */
export function rulesCommand(config: CommandConfig, streams: CommandStreams): Command {
  const command = new Command('rules').description(
    'Checks, tests and explains rules; rules/README.md teaches writing them',
  );
  command
    .command('check [dir]')
    .description(`name every fault with file, line and column; ${dirText}`)
    .action((dir?: string) => report(config, dir, reportWithChanges, streams));
  command
    .command('test [dir]')
    .description(`run the tests in the rule files; ${dirText}`)
    .option('--watch', 'again on every change, until Ctrl-C')
    .action((dir: string | undefined, { watch }: { watch?: boolean }) =>
      watch ? watchTests(config, dir, streams) : report(config, dir, reportTests, streams),
    );
  command
    .command('lint [dir]')
    .description(
      `name rules that never fire, ended, do what another does under the same conditions, or always come after one that stops; ` +
        `exit code 1 when there are any; ${dirText}`,
    )
    .action((dir?: string) => report(config, dir, (check) => reportLint(check, systemClock.now()), streams));
  command
    .command('explain <what>')
    .description(
      'say in words what a rule does (what: its key), the rules of a file (what: its name), or what the rules did for ' +
        'an activity (what: its id)',
    )
    .option('--all', 'for an activity: every rule, not only those nearest to firing')
    .action((what: string, { all = false }: { all?: boolean }) => explain(config, what, all, streams));
  addVersionCommands(command, config, streams);
  command
    .command('schema')
    .description('write rule.schema.json into RULES_DIR: editors complete and check rule files with it')
    .action(() => writeSchema(config, streams));
  command
    .command('reference')
    .description('write REFERENCE.md into RULES_DIR: every field, fact, operator and action')
    .action(() => writeReference(config, streams));
  const others = [coverageCommand(config, streams), simulateCommand(config, streams)];
  for (const each of [...scheduleCommands(config, streams), ...others]) command.addCommand(each);
  return command;
}

/** Adds the commands that change which rules are in force. */
function addVersionCommands(command: Command, config: CommandConfig, streams: CommandStreams): void {
  command
    .command('rollback <version>')
    .description('put the rules of an earlier version into force again, each until its own file changes')
    .action((version: string) => rollBackRules(config, version, streams));
  command
    .command('restore [rules...]')
    .description(
      'put rules that were rolled back (program/key) into force as their files have them; without rules, list them',
    )
    .action((rules: string[]) => restoreNamedRules(config, rules, streams));
}

/** The text of rule.schema.json without the names of an org. */
export function ruleSchemaText(): string {
  return schemaText(ruleJsonSchema());
}

/** Writes a report. @throws CommandError with the summary when the report found something wrong */
async function report(
  config: CommandConfig,
  dir: string | undefined,
  make: Report,
  { out }: CommandStreams,
): Promise<void> {
  const rulesDir = path.resolve(dir ?? config.rulesDir);
  const source = await ruleReferencesFor(config);
  try {
    out(source.description);
    const folders = { rulesDir, orgCode: config.ORG };
    const check = await checkFolders(folders, source);
    if (check.checked.every(({ files, errors }) => files.length + errors.length === 0))
      for (const line of reportCheck(check).lines) out(line);
    requireRuleFiles(check, rulesDir);
    const { lines, summary, isFine } = await make(check, { folders, db: source.db });
    for (const line of lines) out(line);
    if (!isFine) throw new CommandError(summary);
    out(summary);
  } finally {
    await source.close();
  }
}

/** Reports a check, and what loading the files would change where a database has the rules in force. */
async function reportWithChanges(check: FolderCheck, { folders, db }: Checked): Promise<RuleReport> {
  const { lines, ...rest } = reportCheck(check);
  return { lines: db ? [...lines, ...(await changeLines(db, folders))] : lines, ...rest };
}

/** Runs the tests on every change until Ctrl-C. */
async function watchTests(config: CommandConfig, dir: string | undefined, streams: CommandStreams): Promise<void> {
  const tell = (error: unknown) => streams.err(error instanceof Error ? error.message : String(error));
  const run = serializedByKey(() => report(config, dir, reportTests, streams).catch(tell));
  const watch = await watchFiles(path.resolve(dir ?? config.rulesDir), {
    changed: () => void run('tests'),
    failed: (error) => streams.err(`Changes may be missed: ${String(error)}`),
  });
  await run('tests');
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await watch.close();
}

async function writeReference({ rulesDir }: CommandConfig, { out }: CommandStreams): Promise<void> {
  const file = path.join(rulesDir, 'REFERENCE.md');
  await writeFile(file, ruleReferenceText());
  out(`Wrote ${path.relative('', file)}`);
}

/** Writes the schema with the names of the org in the database. Without a database, it has no names. */
async function writeSchema(config: CommandConfig, { out }: CommandStreams): Promise<void> {
  const { rulesDir, ORG } = config;
  const source = await ruleReferencesFor(config);
  try {
    const file = path.join(rulesDir, 'rule.schema.json');
    await writeFile(file, source.db ? schemaText(await schemaIn(source.db, ORG)) : ruleSchemaText());
    out(`Wrote ${path.relative('', file)}, ${source.db ? `with the names of ${ORG}` : 'without the names of an org'}`);
  } finally {
    await source.close();
  }
}

async function schemaIn(db: Connection, code: string): Promise<Record<string, unknown>> {
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) throw new CommandError(`There is no org ${code}`);
  return schemaOfOrg(db, org._id);
}

function schemaText(schema: Record<string, unknown>): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (require.main === module) runProcess(rulesCommand);
