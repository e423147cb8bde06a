import { Argument, Command, Option } from 'commander';
import type { Connection } from 'mongoose';
import { auditUser } from '#access/users/auditUser';
import { findUser } from '#access/users/findUser';
import { changeUser, createUser, type UserChange, type UserFields } from '#access/users/storeUser';
import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { readDuplicateKey } from '#base/db/readDuplicateKey';
import { withRetries } from '#base/db/transaction';
import { readPassword } from '#commands/base/readPassword';
import { type CommandStreams, runProcess } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import type { Auditor } from '#platform/audit/auditor';
import type { Config } from '#platform/infrastructure/config';
import { type ApiKey, apiKeyResource } from '#records/users/apiKey';
import { orgResource } from '#records/users/org';
import { isRole, type Role, roleNames } from '#records/users/permissions';
import { type User, userResource } from '#records/users/user';

const role = () => new Argument('<role>', 'role').choices(roleNames);

/**
 * Makes the command `npm run users`, which manages users without a token. Only the operator of the host can run it, for
 * example to make the first ledger-admin. The audit log has every change with `via: host`.
 */
export function usersCommand(config: Config, streams: CommandStreams): Command {
  const command = new Command('users').description('Lists and changes users, at the host of the service');
  command
    .command('list')
    .description('List the users')
    .option('--org <code>', 'only those of this org')
    .action(({ org }: { org?: string }) => list(config, streams, org));
  command
    .command('create')
    .description('Make a user; the password is read from the input')
    .argument('<username>')
    .addOption(new Option('--role <role>', 'role').choices(roleNames).default('reader'))
    .option('--org <code>', 'org', config.ORG)
    .action((username: string, options: { role: Role; org: string }) => create(config, streams, username, options));
  command
    .command('grant')
    .description('Give a user a role')
    .argument('<username>')
    .addArgument(role())
    .action((username: string, name: Role) =>
      setRoles(config, streams, username, (roles) => [...new Set([...roles, name])]),
    );
  command
    .command('revoke')
    .description('Take a role from a user')
    .argument('<username>')
    .addArgument(role())
    .action((username: string, name: Role) =>
      setRoles(config, streams, username, (roles) => roles.filter((each) => each !== name)),
    );
  command
    .command('password')
    .description("Set the password of a user, read from the input; ends the user's sessions")
    .argument('<username>')
    .action((username: string) => setPassword(config, streams, username));
  return command;
}

async function list(config: Config, { out }: CommandStreams, code: string | undefined): Promise<void> {
  await withDatabase(config, async (db) => {
    const orgs = new Map(
      (await collectionOf(db, orgResource).find().toArray()).map((org) => [org._id.toHexString(), org.code]),
    );
    const users = await collectionOf(db, userResource).find().sort({ username: 1 }).toArray();
    const keys = await keysById(db);
    for (const { _id, username, org, roles, isActive } of users) {
      const orgCode = orgs.get(org.toHexString()) ?? '?';
      if (code !== undefined && code !== orgCode) continue;
      const key = keys.get(_id.toHexString());
      const granted = key ? [...key.roles, ...key.permissions] : roles;
      const isUsable = key ? !hasEnded(key, systemClock.now()) : isActive;
      out([username, orgCode, granted.join(',') || '-', isUsable ? 'active' : 'inactive'].join('  '));
    }
  });
}

/** API keys by their ids, which are also the ids of the users that represent them. */
async function keysById(db: Connection): Promise<Map<string, ApiKey>> {
  const keys = await collectionOf(db, apiKeyResource).find().toArray();
  return new Map(keys.map((key) => [key._id.toHexString(), key]));
}

function hasEnded({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

async function create(
  config: Config,
  streams: CommandStreams,
  username: string,
  options: { role: Role; org: string },
): Promise<void> {
  const password = await readPassword(streams);
  userResource.parseCreate({ username, password });
  await withDatabase(config, async (db) => {
    const org = await collectionOf(db, orgResource).findOne({ code: options.org });
    if (!org) throw new CommandError(`There is no org ${options.org}`);
    const author: Auditor = { org: org._id, userId: org.systemUser, via: 'host' };
    const change: UserChange = { db, author, now: systemClock.now() };
    const append = auditUser({ ...change, action: 'create' });
    await createUser(change, { username, password, roles: [options.role] }, append).catch((error: unknown) => {
      if (readDuplicateKey(error)) throw new CommandError(`The username ${username} is taken; choose another`);
      throw error;
    });
    streams.out(`Made ${username} with role ${options.role} in org ${options.org}`);
  });
}

async function setRoles(
  config: Config,
  { out }: CommandStreams,
  username: string,
  rolesAfter: (roles: User['roles']) => User['roles'],
): Promise<void> {
  await withDatabase(config, async (db) => {
    const { roles } = await change(db, username, (user) => ({ roles: rolesAfter(user.roles) }));
    out(`${username} now has ${roles.filter(isRole).join(', ') || 'no role'}`);
  });
}

async function setPassword(config: Config, streams: CommandStreams, username: string): Promise<void> {
  const password = await readPassword(streams);
  await withDatabase(config, async (db) => {
    await change(db, username, () => ({ password }));
    streams.out(`Set the password of ${username} and ended the user's sessions`);
  });
}

async function change(db: Connection, username: string, fields: (user: User) => UserFields): Promise<User> {
  const attempt = async () => {
    const user = await findUser(db, username);
    const org = user && (await collectionOf(db, orgResource).findOne({ _id: user.org }));
    if (!user || !org) throw new CommandError(`There is no user ${username}`);
    const author: Auditor = { org: org._id, userId: org.systemUser, via: 'host' };
    const changing = { db, author, now: systemClock.now() };
    const set = fields(user);
    const action = set.password === undefined ? 'update' : 'password';
    return changeUser(changing, user, set, auditUser({ ...changing, action }, user));
  };
  return withRetries(attempt, { now: () => systemClock.now().getTime() });
}

if (require.main === module) runProcess(usersCommand);
