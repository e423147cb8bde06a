import { systemClock } from '#base/common/clock';
import { ServiceError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import type { CommandStreams } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { differenceLines } from '#commands/ruleFiles/differenceLines';
import type { Config } from '#platform/infrastructure/config';
import { orgClock } from '#platform/orgs/orgClock';
import { rollBack } from '#publishing/rulesets/rollBack';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import { orgResource } from '#records/users/org';

type RollbackConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'ORG'>;

/**
 * `npm run rules -- rollback <version>`: puts the rules of an earlier version into force again and says how the files
 * differ.
 * @throws CommandError when there is no such version, or its rules no longer fit
 */
export async function rollBackRules(
  config: RollbackConfig,
  versionText: string,
  { out }: CommandStreams,
): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(versionText)) throw new CommandError('The version must be a number, at least 1');
  await withDatabase(config, async (db) => {
    const org = await collectionOf(db, orgResource).findOne({ code: config.ORG });
    if (!org) throw new CommandError(`There is no org ${config.ORG}`);
    const author = { org: org._id, userId: org.systemUser, via: 'host' as const };
    const source = { db, clock: orgClock(systemClock, org.sandbox ?? {}), author };
    const version = await rollBack(source, Number(versionText)).catch(asCommandError);
    const { files } = await ruleSetStatus(db, org._id);
    out(
      `Rule set ${version} is in force, with the rules of version ${versionText}, each rule until its own file changes`,
    );
    for (const line of files ? differenceLines(files) : []) out(line);
  });
}

/** Says a refusal of the service as one of a command. */
export function asCommandError(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const faults = (error.details.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
  throw new CommandError([error.message, ...faults].join('\n'));
}
