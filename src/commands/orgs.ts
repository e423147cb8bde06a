import { Command } from 'commander';
import type { Connection } from 'mongoose';
import { createOrg } from '#access/users/createOrg';
import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { readDuplicateKey } from '#base/db/readDuplicateKey';
import { compileCheck } from '#base/schema/parse';
import { confirmed } from '#commands/base/confirm';
import { readPassword } from '#commands/base/readPassword';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { orgNamed } from '#commands/base/withOrg';
import { cloneOrg } from '#operations/sandbox/cloneOrg';
import { removeSandbox } from '#operations/sandbox/removeSandbox';
import { wipeSandbox } from '#operations/sandbox/wipeSandbox';
import type { Config } from '#platform/infrastructure/config';
import { orgTime } from '#platform/orgs/orgClock';
import { type Org, orgCode, orgResource } from '#records/users/org';
import { userResource } from '#records/users/user';
import { resources } from '#server/services/resources';

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
  command
    .command('clone')
    .description("Make a sandbox with an org's definitions and rules; its admin's password is read from the input")
    .argument('<org>', 'code of the org to copy')
    .requiredOption('--sandbox', 'the copy is a sandbox: it may be wiped, and its clock may be moved')
    .requiredOption('--admin <username>', 'its only user, unique over all orgs')
    .option('--code <code>', 'code of the copy; otherwise <org>-sandbox')
    .action((org: string, { admin, code = `${org}-sandbox` }: { admin: string; code?: string }) =>
      clone(config, streams, org, { code, username: admin }),
    );
  command
    .command('wipe')
    .description('Delete the members of a sandbox and all that belongs to them; definitions, rules and users stay')
    .argument('<code>', 'code of the sandbox')
    .option('--reset-clock', "set its clock back to the machine's")
    .option('--yes', 'do not ask')
    .action((code: string, options: WipeOptions) => wipe(config, streams, code, options));
  command
    .command('remove')
    .description('Delete a sandbox with everything in it')
    .argument('<code>', 'code of the sandbox')
    .option('--yes', 'do not ask')
    .action((code: string, { yes }: { yes?: boolean }) => remove(config, streams, code, yes === true));
  return command;
}

interface WipeOptions {
  resetClock?: boolean;
  yes?: boolean;
}

async function list(config: Config, { out }: CommandStreams): Promise<void> {
  await withDatabase(config, async (db) => {
    const orgs = await collectionOf(db, orgResource).find().sort({ code: 1 }).toArray();
    for (const { _id, code, sandbox } of orgs) out(`${code}  ${_id.toHexString()}${sandboxText(sandbox)}`);
  });
}

function sandboxText(sandbox: Org['sandbox']): string {
  if (!sandbox) return '';
  const work = sandbox.work ? `, ${sandbox.work} unfinished` : '';
  return `  sandbox, its clock says ${orgTime(systemClock.now(), sandbox).toISOString()}${work}`;
}

const codeFaultsOf = compileCheck(orgCode);

async function create(config: Config, streams: CommandStreams, code: string, username: string): Promise<void> {
  const password = await passwordFor(streams, code, username);
  await withDatabase(config, async (db) => {
    const org = await createOrg(db, { code, admin: { username, password } }, systemClock.now()).catch(takenError);
    streams.out(`Made org ${code} (${org._id.toHexString()}) with admin ${username}`);
  });
}

/** Checks the code of a new org and the name of its admin, and reads the password. */
async function passwordFor(streams: CommandStreams, code: string, username: string): Promise<string> {
  const [fault] = codeFaultsOf(code);
  if (fault) throw new CommandError(`The code ${fault.message}`);
  const password = await readPassword(streams);
  userResource.parseCreate({ username, password });
  return password;
}

interface NewSandbox {
  code: string;
  username: string;
}

async function clone(config: Config, streams: CommandStreams, from: string, { code, username }: NewSandbox) {
  await withDatabase(config, async (db) => {
    const source = await orgNamed(db, from);
    const password = await passwordFor(streams, code, username);
    const progress = (what: string, count: number) => streams.err(`${count} ${what}`);
    const admin = { username, password };
    const cloned = { from: source, made: { code, admin }, onCopied: progress };
    const org = await cloneOrg({ db, clock: systemClock }, cloned).catch((error: unknown) => unfinished(error, code));
    streams.out(`Made sandbox ${code} (${org._id.toHexString()}) of ${from} with admin ${username}`);
  });
}

function unfinished(error: unknown, code: string): never {
  if (readDuplicateKey(error)?.has('code') || readDuplicateKey(error)?.has('username')) takenError(error);
  const message = error instanceof Error ? error.message : String(error);
  throw new CommandError(`${message}. Remove the unfinished sandbox (npm run orgs -- remove ${code}) and clone again`);
}

/** @throws CommandError when the org is no sandbox: nothing of a real org is ever deleted so */
async function sandboxNamed(db: Connection, code: string): Promise<Org> {
  const org = await orgNamed(db, code);
  if (org.sandbox) return org;
  throw new CommandError(`The org ${code} is no sandbox: only sandboxes are wiped or removed`);
}

async function wipe(config: Config, streams: CommandStreams, code: string, { yes, resetClock }: WipeOptions) {
  await withDatabase(config, async (db) => {
    const { _id, systemUser } = await sandboxNamed(db, code);
    const question = `Delete the members of ${code} and all that belongs to them?`;
    if (!yes && !(await confirmed(streams, question))) throw new CommandError('Nothing was deleted');
    const services = { db, clock: systemClock, resources };
    const onDeleted = (path: string, count: number) => streams.err(`${count} ${path} deleted`);
    const by = { org: _id, userId: systemUser, via: 'host' as const };
    await wipeSandbox(services, _id, { by, resetsClock: resetClock === true, onDeleted });
    streams.out(`Wiped ${code}`);
  });
}

async function remove(config: Config, streams: CommandStreams, code: string, isAgreed: boolean): Promise<void> {
  await withDatabase(config, async (db) => {
    const { _id } = await sandboxNamed(db, code);
    if (!isAgreed && !(await confirmed(streams, `Delete ${code} with its definitions, rules and users?`))) {
      throw new CommandError('Nothing was deleted');
    }
    const onDeleted = (path: string, count: number) => streams.err(`${count} ${path} deleted`);
    await removeSandbox({ db, clock: systemClock, resources }, _id, onDeleted);
    streams.out(`Removed ${code}`);
  });
}

function takenError(error: unknown): never {
  const [taken] = [...(readDuplicateKey(error) ?? [])];
  if (taken) throw new CommandError(`The ${taken[0]} ${String(taken[1])} is taken; choose another`);
  throw error;
}

if (require.main === module) runProcess(orgsCommand);
