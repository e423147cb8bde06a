import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Connection } from 'mongoose';
import { rulesHitSince } from '#activities/explain/rulesHitSince';
import { systemClock } from '#base/common/clock';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import type { CommandStreams } from '#commands/base/runCommand';
import { CommandError } from '#commands/base/withDatabase';
import { type CheckedFolder, checkFolders, requireRuleFiles } from '#commands/ruleFiles/checkFolders';
import { type PastHits, reportCoverage } from '#commands/ruleFiles/reportCoverage';
import { reportCheck } from '#commands/ruleFiles/reportRules';
import { ruleReferencesFor } from '#commands/ruleFiles/ruleReferencesFor';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { Config } from '#platform/infrastructure/config';
import { deriveRuleId } from '#publishing/rulesets/publishRules';
import { orgResource } from '#records/users/org';

type CoverageConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'rulesDir' | 'ORG'>;

const daysDefault = 30;
const daysMax = 3660;
/**
 * Makes `npm run rules -- coverage`, which lists the rules and conditions that tests or past activities do not reach.
 */
export function coverageCommand(config: CoverageConfig, streams: CommandStreams): Command {
  return new Command('coverage')
    .argument('[dir]', 'holds the program folders, default RULES_DIR')
    .description(
      'rules that no test hits, conditions that tests never saw both true and false; with a database also rules that no activity hit',
    )
    .option('--days <days>', `activities of the last days, default ${daysDefault}; needs a database`, days)
    .action((dir: string | undefined, options: { days?: number }) => run(config, dir, options.days, streams));
}

function days(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= daysMax) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${daysMax}.`);
}

async function run(
  config: CoverageConfig,
  dir: string | undefined,
  days: number | undefined,
  { out }: CommandStreams,
): Promise<void> {
  const source = await ruleReferencesFor(config);
  try {
    out(source.description);
    if (days !== undefined && !source.db)
      throw new CommandError('--days needs a database: start the service first, or set MONGODB_URI');
    const rulesDir = path.resolve(dir ?? config.rulesDir);
    const check = await checkFolders({ rulesDir, orgCode: config.ORG }, source);
    requireRuleFiles(check, rulesDir);
    if (check.checked.some(({ errors }) => errors.length > 0)) {
      const { lines, summary } = reportCheck(check);
      for (const line of lines) out(line);
      throw new CommandError(`${summary}; coverage needs files without fault`);
    }
    for (const folder of check.checked) {
      const past = source.db && (await pastHits(source.db, folder, days ?? daysDefault));
      for (const line of await reportCoverage(folder, past)) out(line);
    }
  } finally {
    await source.close();
  }
}

async function pastHits(db: Connection, { org: code }: CheckedFolder, lastDays: number): Promise<PastHits | undefined> {
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) return undefined;
  const ids = await rulesHitSince(db, org._id, new Date(systemClock.now().getTime() - lastDays * dayMs));
  return { days: lastDays, isHit: (rule: RuleDefinition) => ids.has(deriveRuleId(org._id, rule).toHexString()) };
}
