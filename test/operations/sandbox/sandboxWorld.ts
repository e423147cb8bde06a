import { PassThrough } from 'node:stream';
import { runCommand } from '#commands/base/runCommand';
import { orgsCommand } from '#commands/orgs';
import { cloneOrg } from '#operations/sandbox/cloneOrg';
import type { Config } from '#platform/infrastructure/config';
import type { Org } from '#records/users/org';
import type { Role } from '#records/users/permissions';
import { type Client, client } from '../../support/client';
import { makeTestUser } from '../../support/services';
import { earnRule, redeemRule, type World } from '../../support/world';

/** A rule that gives points on a member's birthday. */
const birthdayRule = {
  key: 'birthday',
  name: 'A present',
  status: 'active',
  activityTypes: ['Birthday'],
  schedule: { at: '09:00' },
  priority: 20,
  conditions: { all: [] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 50 }],
};

/** Rules and terms with much that becomes due: escrow, expiry, birthdays. */
export const busyWorld = {
  rules: [earnRule, redeemRule, birthdayRule],
  policies: [
    {
      escrow: { type: 'duration' as const, value: 3, unit: 'day' as const },
      expiry: { type: 'rolling' as const, value: 40, unit: 'day' as const },
    },
  ],
};

/** Runs `npm run orgs` on the stores of a world. */
export function runOrgs(world: Pick<World, 'services'>, args: string[], input = '') {
  return runWith(world, orgsCommand, args, input);
}

/** Runs a command on the stores of a world. Returns the exit code and what it wrote. */
export async function runWith(
  { services }: Pick<World, 'services'>,
  make: typeof orgsCommand,
  args: string[],
  input = '',
) {
  const [out, err]: [string[], string[]] = [[], []];
  const stream = new PassThrough();
  stream.end(input);
  const streams = { input: stream, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const config: Config = services.config;
  const code = await runCommand(make(config, streams), args, streams);
  return { code, out, err };
}

/** A cloned org, and clients of it. */
export interface SandboxClients {
  org: Org;
  program: string;
  as(role: Role): Client;
}

/** Clones the org of a world, and makes a user for each role that is asked for. */
export async function cloneWorld(world: World, code: string): Promise<SandboxClients> {
  const { services, server } = world;
  const admin = { username: `boss@${code}`, password: 'a long password' };
  const org = await cloneOrg(services, { from: services.org, made: { code, admin }, onCopied: () => undefined });
  const roles: Role[] = ['admin', 'client', 'reader', 'program-manager'];
  const made = await Promise.all(
    roles.map(async (role) => [role, await makeTestUser(services, org, `${role}@${code}`, [role])] as const),
  );
  const tokens = new Map<Role, string>(made.map(([role, { token }]) => [role, token]));
  const as = (role: Role) => client(server.url, tokens.get(role) ?? '');
  const [program] = (await as('admin').get('/programs')).body;
  return { org, program: program._id, as };
}
