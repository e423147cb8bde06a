import type { ObjectId } from 'bson';
import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { elapsedMs, systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { progressBar } from '#commands/base/progressBar';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { countMembers, reconcile } from '#members/reconcile/reconcile';
import type { Config } from '#platform/infrastructure/config';
import { type MovedClock, orgClock } from '#platform/orgs/orgClock';
import { orgResource } from '#records/users/org';

/**
 * Makes the command `npm run reconcile`, which compares all that is stored and writes a line for each mismatch. It may run
 * while the service runs. It fails when it finds a mismatch.
 */
export function reconcileCommand(config: Config, streams: CommandStreams): Command {
  return new Command('reconcile')
    .description('Checks that all records of every member and every org agree with each other')
    .option('--org <code>', 'only the members of this org')
    .action(({ org }: { org?: string }) => withDatabase(config, (db) => check(db, org, streams)));
}

async function check(db: Connection, code: string | undefined, streams: CommandStreams): Promise<void> {
  const org = code === undefined ? undefined : await requireOrg(db, code);
  const bar = progressBar(
    '{bar} {value} of {total} members checked, {rate} a second, {eta_formatted} left, now: {now}',
    streams,
  );
  const startedAt = elapsedMs();
  bar.start(await countMembers(db, org), 0, { rate: 0, now: 'members' });
  const { members, mismatches } = await reconcile(
    { db, clock: systemClock },
    {
      ...(org ? { org } : {}),
      clockOf: async (each) => orgClock(systemClock, await movedClock(db, each)),
      onMismatch: ({ message }) => streams.out(message),
      onProgress: (checked, now) =>
        bar.update(checked, { rate: Math.round((1000 * checked) / (elapsedMs() - startedAt)), now }),
    },
  ).finally(() => bar.stop());
  const summary = `${members} members checked, ${mismatches} mismatches`;
  if (mismatches > 0) throw new CommandError(summary);
  streams.err(summary);
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
