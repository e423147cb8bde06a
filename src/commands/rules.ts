import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { type Config, readConfig } from '../config';
import { type OnProgress, progressTo } from '../embedded/progress';
import { ruleJsonSchema } from '../rules/ruleSchema';
import { oneAtATime } from '../rulesets/oneAtATime';
import { watchFiles } from '../rulesets/watchFiles';
import { checkFolders, type FolderCheck } from './checkFolders';
import { type RuleReport, reportCheck, reportTests } from './reportRules';
import { ruleDefinitions } from './ruleDefinitions';

type CommandConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'rulesDir' | 'ORG'>;
type Report = (check: FolderCheck) => RuleReport | Promise<RuleReport>;

/**
 * `npm run rules -- check | test | schema`: for those who write rules.
 * @param out receives every line
 * @returns the exit code: 0 all is well, 1 there are faults
 */
export async function rulesCommand(config: CommandConfig, args: string[], out: OnProgress): Promise<number> {
  let code = 0;
  const finish = async (run: Promise<boolean>) => {
    code = (await run) ? 0 : 1;
  };
  const program = new Command('rules').description('Checks and tests rule files (see rules/README.md)');
  program
    .command('check [dir]')
    .description('name every fault with file, line and column; dir holds the program folders, default RULES_DIR')
    .action((dir?: string) => finish(report(config, dir, reportCheck, out)));
  program
    .command('test [dir]')
    .description('run the tests that stand in the rule files; dir holds the program folders, default RULES_DIR')
    .option('--watch', 'again on every change, until Ctrl-C')
    .action((dir: string | undefined, { watch }: { watch?: boolean }) =>
      finish(watch ? watchTests(config, dir, out) : report(config, dir, reportTests, out)),
    );
  program
    .command('schema')
    .description('write rule.schema.json into RULES_DIR: editors complete and check rule files with it')
    .action(() => finish(writeSchema(config, out)));
  await program.parseAsync(args, { from: 'user' });
  return code;
}

/** The text of rule.schema.json. */
export function ruleSchemaText(): string {
  return `${JSON.stringify(ruleJsonSchema(), null, 2)}\n`;
}

async function report(config: CommandConfig, dir: string | undefined, make: Report, out: OnProgress): Promise<boolean> {
  const rulesDir = path.resolve(dir ?? config.rulesDir);
  const source = await ruleDefinitions(config);
  try {
    out(source.description);
    const check = await checkFolders({ rulesDir, orgCode: config.ORG }, source);
    const { lines, isFine } = await make(check);
    if (check.checked.every(({ files }) => files === 0)) {
      out(`There are no rule files in ${rulesDir}: it must hold a folder for each program, with .json files.`);
    }
    for (const line of lines) out(line);
    return isFine;
  } finally {
    await source.close();
  }
}

/** Runs until Ctrl-C ends the process. */
async function watchTests(config: CommandConfig, dir: string | undefined, out: OnProgress): Promise<boolean> {
  const run = oneAtATime(() => report(config, dir, reportTests, out));
  const watching = await watchFiles(path.resolve(dir ?? config.rulesDir), {
    changed: () => void run('').catch((error: unknown) => out(String(error))),
    failed: (error) => out(`Changes may go unseen: ${String(error)}`),
  });
  await run('');
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await watching.close();
  return true;
}

async function writeSchema({ rulesDir }: CommandConfig, out: OnProgress): Promise<boolean> {
  const file = path.join(rulesDir, 'rule.schema.json');
  await writeFile(file, ruleSchemaText());
  out(`${path.relative('', file)} is written`);
  return true;
}

if (require.main === module) {
  const out = progressTo(process.stdout);
  rulesCommand(readConfig(), process.argv.slice(2), out).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      out(error instanceof Error ? error.message : String(error));
      process.exitCode = 1;
    },
  );
}
