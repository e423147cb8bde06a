import { Command } from 'commander';
import type { Config } from '../backing/config';
import { systemClock } from '../common/clock';
import { collectionOf } from '../db/collections';
import { duplicateKeyOf } from '../db/duplicateKeyOf';
import { orgCode, orgResource } from '../records/users/org';
import { userResource } from '../records/users/user';
import { compileCheck } from '../schema/parse';
import { createOrg } from '../users/createOrg';
import { readPassword } from './readPassword';
import { type CommandStreams, runProcess } from './runCommand';
import { CommandError, withDatabase } from './withDatabase';

/** Makes the command `npm run orgs`, which lists and makes orgs. */
export function orgsCommand(config: Config, streams: CommandStreams): Command {
  const command = new Command('orgs').description('Lists and makes orgs, at the host of the service');
  command
    .command('list')
    .description('List the orgs')
    .action(() => list(config, streams));
  command
    .command('create')
    .description("Make an org; its first admin's password is read from the input")
    .argument('<code>', 'lower-case letters, digits, - and _; names the rule folder @<code>')
    .requiredOption('--admin <username>', 'first user of the org, unique over all orgs')
    .action((code: string, { admin }: { admin: string }) => create(config, streams, code, admin));
  return command;
}

async function list(config: Config, { out }: CommandStreams): Promise<void> {
  await withDatabase(config, async (db) => {
    const orgs = await collectionOf(db, orgResource).find().sort({ code: 1 }).toArray();
    for (const { _id, code } of orgs) out(`${code}  ${_id.toHexString()}`);
  });
}

const codeFaultsOf = compileCheck(orgCode);

async function create(config: Config, streams: CommandStreams, code: string, username: string): Promise<void> {
  const [fault] = codeFaultsOf(code);
  if (fault) throw new CommandError(`The code ${fault.message}`);
  const password = await readPassword(streams);
  userResource.parseCreate({ username, password });
  await withDatabase(config, async (db) => {
    const org = await createOrg(db, { code, admin: { username, password } }, systemClock.now()).catch(takenError);
    streams.out(`Made org ${code} (${org._id.toHexString()}) with admin ${username}`);
  });
}

function takenError(error: unknown): never {
  const [taken] = [...(duplicateKeyOf(error) ?? [])];
  if (taken) throw new CommandError(`The ${taken[0]} ${String(taken[1])} is taken`);
  throw error;
}

if (require.main === module) runProcess(orgsCommand);
