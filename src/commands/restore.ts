import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { progressTo } from '#base/common/progressTo';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError } from '#commands/base/withDatabase';
import { withOwnStore } from '#commands/base/withOwnStore';
import { backupFiles } from '#operations/backup/manifest';
import { restoreBackup } from '#operations/backup/restoreBackup';
import { replaceSecrets } from '#operations/embedded/secrets';
import type { Config } from '#platform/infrastructure/config';
import { resources } from '#server/services/resources';

interface RestoreOptions {
  force?: string;
  withSecrets?: boolean;
}

/** Makes the command `npm run restore -- <folder>`, which fills an empty database from a backup and checks it. */
export function restoreCommand(config: Config, streams: CommandStreams): Command {
  return new Command('restore')
    .description('Fills an empty database from a backup, upgrades it and checks every ledger; the service must not run')
    .argument('<folder>', 'what npm run backup made')
    .option('--force <database>', 'delete all that is in the database of this name before')
    .option('--with-secrets', 'take over the key of tokens and the made password of an embedded service')
    .action((folder: string, options: RestoreOptions) =>
      withOwnStore(config, { makesNew: true }, (db) => restore(config, db, { ...options, folder }, streams)),
    );
}

async function restore(
  config: Config,
  db: Connection,
  { folder, force, withSecrets }: RestoreOptions & { folder: string },
  { out, err }: CommandStreams,
): Promise<void> {
  const { manifest, checked } = await restoreBackup(db, {
    folder,
    resources,
    clock: systemClock,
    ...(force === undefined ? {} : { replaces: force }),
    onProgress: progressTo({ write: (text) => err(text.trimEnd()) }),
    onMismatch: out,
  });
  if (withSecrets && manifest.hasSecrets && config.MONGODB_URI === undefined) {
    replaceSecrets(config.dataDir, readFileSync(path.join(folder, backupFiles.secrets), 'utf8'));
  }
  const { members, mismatches } = checked;
  out(
    `Restored the state of ${manifest.takenAt} into ${db.name}: ${members} members checked, ${mismatches} mismatches`,
  );
  if (mismatches > 0) throw new CommandError('The ledgers of the backup do not agree; see above');
}

if (require.main === module) runProcess(restoreCommand);
