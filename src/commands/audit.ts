import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { progressTo } from '#base/common/progressTo';
import { collectionOf } from '#base/db/collections';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { verifyAudit } from '#platform/audit/verifyAudit';
import type { Config } from '#platform/infrastructure/config';
import { type Org, orgResource } from '#records/users/org';

interface VerifyOptions {
  org?: string;
  expect?: string;
}

/** Makes the command `npm run audit`, which checks the audit log. It may run while the service runs. */
export function auditCommand(config: Config, streams: CommandStreams): Command {
  const command = new Command('audit').description('Checks the audit log, at the host of the service');
  command
    .command('verify')
    .description('Check that nobody changed, removed or added entries; fails at the first fault')
    .option('--org <code>', 'only the log of this org')
    .option('--expect <hash>', 'hash of an entry as it was noted before; the log must still have it (with --org)')
    .action((options: VerifyOptions) => withDatabase(config, (db) => verify(db, options, streams)));
  return command;
}

async function verify(db: Connection, { org, expect }: VerifyOptions, { out, err }: CommandStreams): Promise<void> {
  if (expect !== undefined && org === undefined)
    throw new CommandError('--expect needs --org: each org has its own log');
  const orgs = await findOrgs(db, org);
  const progress = progressTo({ write: (text) => err(text.trimEnd()) });
  let faults = 0;
  for (const { _id, code } of orgs) {
    const onProgress = (entries: number) => progress(`${code}  ${entries} entries checked`, true);
    const { entries, head, fault } = await verifyAudit(db, { org: _id, expect, onProgress });
    if (fault === undefined) out(`${code}  ${entries} entries  ${head ? `last ${head.seq} ${head.hash}` : 'none'}`);
    else out(`${code}  ${entries} entries, then: ${fault}`);
    if (fault !== undefined) faults += 1;
  }
  if (faults > 0) throw new CommandError(`The audit log of ${faults} of ${orgs.length} orgs is not as it was written`);
}

async function findOrgs(db: Connection, code: string | undefined): Promise<Org[]> {
  const orgs = collectionOf(db, orgResource);
  const found = await orgs
    .find(code === undefined ? {} : { code })
    .sort({ code: 1 })
    .toArray();
  if (code !== undefined && found.length === 0) throw new CommandError(`There is no org ${code}`);
  return found;
}

if (require.main === module) runProcess(auditCommand);
