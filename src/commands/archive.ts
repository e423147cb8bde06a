import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { progressTo } from '#base/common/progressTo';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { withDatabase } from '#commands/base/withDatabase';
import { orgNamed } from '#commands/base/withOrg';
import { findInArchive } from '#operations/archive/findInArchive';
import { verifyVolume, volumesIn } from '#operations/archive/volumeFiles';
import { writeArchive } from '#operations/archive/writeArchive';
import type { Config } from '#platform/infrastructure/config';
import { orgClock } from '#platform/orgs/orgClock';
import { archiveKinds } from '#records/archives/archiveVolume';

interface WriteOptions {
  org?: string;
  before: Date;
  to: string;
}

/** Makes the command `npm run archive`, which moves old records to files and reads these. */
export function archiveCommand(config: Config, streams: CommandStreams): Command {
  const command = new Command('archive').description('Moves old records to files, and reads these');
  command
    .command('write')
    .description('Write old records to files, read these back, then delete the records; the service may go on')
    .requiredOption('--before <date>', 'what was posted and dated before this day (YYYY-MM-DD)', readDay)
    .requiredOption('--to <folder>', 'the folder of the archive')
    .option('--org <code>', 'the org; by default that of the settings')
    .action((options: WriteOptions) => withDatabase(config, (db) => write(config, db, options, streams)));
  command
    .command('verify')
    .description('Check the volumes in a folder: hashes, and every record; needs no database')
    .argument('<folder>', 'the folder of the archive')
    .action((folder: string) => verify(folder, streams));
  command
    .command('read')
    .description('Print archived records as they were stored; needs no database')
    .argument('<folder>', 'the folder of the archive')
    .argument('<id>', 'id of an activity, an accrual item, a journal entry or a member; or an externalTxnId')
    .action((folder: string, id: string) => read(folder, id, streams));
  return command;
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00.000Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new InvalidArgumentError('Give a day, such as 2025-12-31.');
  return day;
}

async function write(
  config: Config,
  db: Connection,
  { org: code, before, to }: WriteOptions,
  { out, err }: CommandStreams,
): Promise<void> {
  const org = await orgNamed(db, code ?? config.ORG);
  const { volumes, faulty, ...moved } = await writeArchive(db, {
    org,
    before,
    root: to,
    clock: orgClock(systemClock, org.sandbox ?? {}),
    onProgress: progressTo({ write: (text) => err(text.trimEnd()) }),
  });
  for (const name of volumes) out(path.join(to, name));
  const counts = archiveKinds.map((kind) => `${moved[kind]} ${kind}`).join(', ');
  out(`${counts} of ${org.code} are in the archive now, and no longer in the database`);
  if (faulty > 0)
    err(`The points of ${faulty} members stayed, because their records do not agree: see npm run reconcile`);
}

async function verify(folder: string, { out }: CommandStreams): Promise<void> {
  for (const name of await volumesIn(folder)) {
    const { documents, sha256 } = await verifyVolume(folder, name);
    out(`${name}  ${documents} records  ${sha256}`);
  }
}

async function read(folder: string, id: string, { out, err }: CommandStreams): Promise<void> {
  let last: string | undefined;
  for await (const { volume, line } of findInArchive(folder, id)) {
    if (volume !== last) err(`In ${volume}:`);
    last = volume;
    out(line);
  }
}

if (require.main === module) runProcess(archiveCommand);
