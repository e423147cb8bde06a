import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { parseInstant } from '#base/schema/instant';
import { progressBar } from '#commands/base/progressBar';
import type { CommandStreams } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { reportSimulation } from '#commands/ruleFiles/reportSimulation';
import type { ReadResult } from '#engine/rules/read/readRules';
import type { SimulationResult } from '#engine/rules/simulate/simulationResult';
import { SimulationTooLarge } from '#engine/rules/simulate/simulationTooLarge';
import type { Config } from '#platform/infrastructure/config';
import { orgTime } from '#platform/orgs/orgClock';
import { faultLine } from '#publishing/rulesets/files/logLoad';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { orgRuleFolder } from '#publishing/rulesets/files/ruleFolders';
import { readChangedRules } from '#publishing/simulations/changedRules';
import { simulatePast } from '#publishing/simulations/simulatePast';
import { programResource } from '#records/programs/program';
import { type Org, orgResource } from '#records/users/org';

type SimulateConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'rulesDir' | 'ORG'>;

interface Options {
  from?: Date;
  to?: Date;
  program?: string;
  sample?: number;
  dir?: string;
}

/**
 * Makes `npm run rules -- simulate`, which reports what the rule files would have done with past activities. It writes
 * nothing to the database.
 */
export function simulateCommand(config: SimulateConfig, streams: CommandStreams): Command {
  return new Command('simulate')
    .description('what changed rule files would have awarded for past activities; publishes nothing')
    .option('--from <date>', "activities from this date on, such as 2026-01-01 (the activity's date, UTC)", instant)
    .option('--to <date>', 'activities before this date', instant)
    .option('--program <code>', 'activities of this program only')
    .option('--sample <share>', 'share of the members, such as 0.1', share)
    .option('--dir <folder>', 'folder that holds the program folders with the changed rules, default RULES_DIR')
    .action((options: Options) => withDatabase(config, (db) => run(db, config, options, streams)));
}

function instant(text: string): Date {
  const date = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (date) return date;
  throw new InvalidArgumentError('It must be a date such as 2026-01-01 or 2026-01-01T12:00:00Z.');
}

function share(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be above 0 and at most 1.');
}

async function run(db: Connection, config: SimulateConfig, options: Options, streams: CommandStreams): Promise<void> {
  const org = await collectionOf(db, orgResource).findOne({ code: config.ORG });
  if (!org) throw new CommandError(`There is no org ${config.ORG}`);
  const program = await findProgramByCode(db, org, options.program);
  const rulesDir = path.resolve(options.dir ?? config.rulesDir);
  const changed = await changedRules(db, org, { rulesDir, orgCode: config.ORG }, streams);
  const { from, to, sample } = options;
  const { rules, lookupTables } = changed;
  const ids = changed.programs.map(({ program: { _id } }) => _id);
  const programs = ids.filter((id) => !program || id.equals(program));
  if (programs.length === 0) throw new CommandError(`There are no rule files of the program ${options.program}`);
  const scope = { from, to, programs, sample };
  const until = orgTime(systemClock.now(), org.sandbox ?? {});
  const result = await simulate(db, { org: org._id, until, changed: rules, lookupTables, scope }, streams);
  for (const line of reportSimulation(result)) streams.out(line);
}

async function findProgramByCode(db: Connection, org: Org, code: string | undefined) {
  if (code === undefined) return undefined;
  const program = await collectionOf(db, programResource).findOne({ org: org._id, code });
  if (!program) throw new CommandError(`There is no program ${code}`);
  return program._id;
}

/** Reads the changed rules. @throws CommandError when there are none, or after it has written every fault */
async function changedRules(
  db: Connection,
  org: Org,
  folders: { rulesDir: string; orgCode: string },
  { err }: CommandStreams,
): Promise<ReadResult> {
  const { folder } = orgRuleFolder(folders, org.code);
  const codes = await collectionOf(db, programResource).distinct('code', { org: org._id });
  const { files, faults, strays, warnings } = await readFiles(folder, codes);
  for (const warning of [...strays, ...warnings]) err(`${faultLine(warning)} (warning)`);
  if (files.length + faults.length === 0) throw new CommandError(`No rule files of a program in ${folder}`);
  const read = await readChangedRules(db, org._id, { files, faults, strays });
  for (const fault of read.errors) err(faultLine(fault));
  if (read.errors.length > 0) throw new CommandError('Rules with faults cannot be simulated');
  return read;
}

type Run = Omit<Parameters<typeof simulatePast>[1], 'clock' | 'onProgress'>;

async function simulate(db: Connection, run: Run, streams: CommandStreams): Promise<SimulationResult> {
  const bar = progressBar('{bar} {value} of {total} activities, {eta_formatted} left', streams);
  bar.start(0, 0);
  try {
    return await simulatePast(db, {
      ...run,
      clock: systemClock,
      onProgress({ read, total }) {
        bar.setTotal(total);
        bar.update(read);
      },
    });
  } catch (error) {
    throw error instanceof SimulationTooLarge ? new CommandError(error.message) : error;
  } finally {
    bar.stop();
  }
}
