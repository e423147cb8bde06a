import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import type { CommandStreams } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { differenceLines } from '#commands/ruleFiles/differenceLines';
import type { Config } from '#platform/infrastructure/config';
import { orgClock } from '#platform/orgs/orgClock';
import { restoreRules } from '#publishing/rulesets/aside/restoreRules';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import { orgResource } from '#records/users/org';
import { asCommandError } from './rollBackRules';

type RestoreConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'ORG'>;

/**
 * `npm run rules -- restore [program/key...]`: puts what files have of rules that a rollback set aside into force again;
 * without names, lists them.
 * @throws CommandError when one is not set aside, or the rules do not hold together
 */
export async function restoreNamedRules(
  config: RestoreConfig,
  names: readonly string[],
  { out }: CommandStreams,
): Promise<void> {
  const rules = names.map((name) => {
    const [, program, key] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
    if (program === undefined || key === undefined) throw new CommandError(`${name} is no <program>/<key>`);
    return { program, key };
  });
  await withDatabase(config, async (db) => {
    const org = await collectionOf(db, orgResource).findOne({ code: config.ORG });
    if (!org) throw new CommandError(`There is no org ${config.ORG}`);
    const author = { org: org._id, userId: org.systemUser, via: 'host' as const };
    if (rules.length > 0) {
      const source = { db, clock: orgClock(systemClock, org.sandbox ?? {}), author };
      const version = await restoreRules(source, rules).catch(asCommandError);
      out(`Rule set ${version} is in force, with what the files have of ${names.join(', ')}`);
    }
    const { files } = await ruleSetStatus(db, org._id);
    const lines = files ? differenceLines(files) : [];
    out(lines.length > 0 ? 'Rolled back, and the files differ:' : 'No rule is set aside');
    for (const line of lines) out(line);
  });
}
