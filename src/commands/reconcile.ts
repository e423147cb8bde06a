import type { ObjectId } from 'bson';
import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { progressTo } from '#base/common/progressTo';
import { collectionOf } from '#base/db/collections';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { reconcile } from '#members/reconcile/reconcile';
import type { Config } from '#platform/infrastructure/config';
import { type MovedClock, orgClock } from '#platform/orgs/orgClock';
import { orgResource } from '#records/users/org';

/**
 * Makes the command `npm run reconcile`, which checks every member's ledger and writes a line for each mismatch. It may
 * run while the service runs. It fails when it finds a mismatch.
 */
export function reconcileCommand(config: Config, streams: CommandStreams): Command {
  return new Command('reconcile')
    .description('Checks that purses, accrual items and journal agree for every member')
    .option('--org <code>', 'only the members of this org')
    .action(({ org }: { org?: string }) => withDatabase(config, (db) => check(db, org, streams)));
}

async function check(db: Connection, code: string | undefined, { out, err }: CommandStreams): Promise<void> {
  const progress = progressTo({ write: (text) => err(text.trimEnd()) });
  const { members, mismatches } = await reconcile(
    { db, clock: systemClock },
    {
      ...(code === undefined ? {} : { org: await requireOrg(db, code) }),
      clockOf: async (org) => orgClock(systemClock, await movedClock(db, org)),
      onMismatch: ({ message }) => out(message),
      onProgress: (checked) => progress(`${checked} members checked`, true),
    },
  );
  const summary = `${members} members checked, ${mismatches} mismatches`;
  if (mismatches > 0) throw new CommandError(summary);
  err(summary);
}

async function movedClock(db: Connection, org: ObjectId): Promise<MovedClock> {
  return (await collectionOf(db, orgResource).findOne({ _id: org }))?.sandbox ?? {};
}

async function requireOrg(db: Connection, code: string): Promise<ObjectId> {
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) throw new CommandError(`There is no org ${code}`);
  return org._id;
}

if (require.main === module) runProcess(reconcileCommand);
