import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { progressTo } from '#base/common/progressTo';
import { collectionOf } from '#base/db/collections';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError } from '#commands/base/withDatabase';
import { withOwnStore } from '#commands/base/withOwnStore';
import { writeBackup } from '#operations/backup/writeBackup';
import { loadSecrets } from '#operations/embedded/secrets';
import type { Config } from '#platform/infrastructure/config';
import { orgResource } from '#records/users/org';

interface BackupOptions {
  org?: string;
  withSecrets?: boolean;
}

/** Makes the command `npm run backup -- <folder>`, which writes the database as it is at one point in time. */
export function backupCommand(config: Config, streams: CommandStreams): Command {
  return new Command('backup')
    .description('Writes the database, as it is at one moment, into a new folder; the service may go on')
    .argument('<folder>', 'must not exist')
    .option('--org <code>', 'only this org')
    .option('--with-secrets', 'also logins, and the key of tokens of an embedded service')
    .action((folder: string, options: BackupOptions) =>
      withOwnStore(config, { makesNew: false }, (db) => backUp(config, db, { ...options, folder }, streams)),
    );
}

async function backUp(
  config: Config,
  db: Connection,
  { folder, org: code, withSecrets }: BackupOptions & { folder: string },
  { out, err }: CommandStreams,
): Promise<void> {
  const org = code === undefined ? undefined : await collectionOf(db, orgResource).findOne({ code });
  if (org === null) throw new CommandError(`There is no org ${code}`);
  const manifest = await writeBackup(db, {
    folder,
    clock: systemClock,
    onProgress: progressTo({ write: (text) => err(text.trimEnd()) }),
    ...(org ? { org } : {}),
    ...(withSecrets ? { secrets: backupSecrets(config) } : {}),
  });
  const documents = manifest.collections.reduce((sum, each) => sum + each.documents, 0);
  const bytes = manifest.collections.reduce((sum, each) => sum + each.bytes, 0);
  out(`${folder} has ${documents} documents of ${manifest.collections.length} collections in ${bytes} bytes`);
  if (!withSecrets) out('It has no logins and no keys; keep JWT_SECRET, or secrets.json of DATA_DIR, yourself');
}

/** The secrets that a restored embedded service needs to verify its tokens and signatures. */
function backupSecrets({ MONGODB_URI, dataDir }: Config): string {
  if (MONGODB_URI !== undefined) return '{}';
  const { jwtSecret, adminPassword } = loadSecrets(dataDir);
  return JSON.stringify({ jwtSecret, adminPassword });
}

if (require.main === module) runProcess(backupCommand);
