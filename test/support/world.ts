import assert from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Author } from '#base/db/records';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { createMember } from '#members/members/createMember';
import type { Config } from '#platform/infrastructure/config';
import type { Member } from '#records/members/member';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import { makePolicy, makeProgram } from './definitions';
import { addOrg, openTestServer, type TestServer } from './server';
import type { TestServices } from './services';

/** The definitions and settings of a world. */
export interface WorldInput {
  /** Rules of the program, as in a rule file. */
  rules: Record<string, unknown>[];
  /** Purse policies; default: one policy named Points. */
  policies?: Partial<PursePolicy>[];
  program?: Partial<Program>;
  /** Settings other than the defaults of tests, such as other stores. */
  config?: Partial<Config>;
}

/** A served program with rules in force. Most tests of activities start from a world. */
export interface World {
  server: TestServer & { services: TestServices };
  services: TestServices;
  author: Author;
  program: Program;
  policies: PursePolicy[];
  rulesDir: string;
  addMember(fields?: Record<string, unknown>): Promise<Member>;
  /** Replaces the rules in force. */
  publish(rules: Record<string, unknown>[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a world with its own services on the stores of the run. */
export async function openWorld({ config, ...input }: WorldInput): Promise<World> {
  if (!config) {
    const server = await openTestServer();
    return worldOf({ server, rulesDir: server.services.config.rulesDir, close: server.close }, input);
  }
  const rulesDir = mkdtempSync(path.join(tmpdir(), 'loyalty-rules-'));
  const server = await openTestServer({ ...config, rulesDir, ORG: 'test' });
  const close = async () => {
    await server.close();
    rmSync(rulesDir, { recursive: true, force: true });
  };
  return worldOf({ server, rulesDir, close }, input);
}

/** Makes a world in a new org of the services of another world. The services close with that other world. */
export async function addWorld({ server, rulesDir }: World, input: Omit<WorldInput, 'config'>): Promise<World> {
  const own = await addOrg(server);
  const folder = path.join(rulesDir, `@${own.services.org.code}`);
  return worldOf({ server: own, rulesDir: folder, close: async () => undefined }, input);
}

async function worldOf(
  opened: Pick<World, 'server' | 'rulesDir' | 'close'>,
  { rules, policies = [{}], program = {} }: WorldInput,
): Promise<World> {
  const { server, rulesDir } = opened;
  const { services } = server;
  const author = { org: services.org._id, userId: services.users.admin.principal.userId };
  const made = await makeProgram(services.db, author, { code: 'main', ...program });
  const madePolicies = [];
  for (const policy of policies) madePolicies.push(await makePolicy(services.db, author, made, policy));
  mkdirSync(path.join(rulesDir, 'main'), { recursive: true });
  const publish = async (next: Record<string, unknown>[]) => {
    writeFileSync(path.join(rulesDir, 'main', 'rules.json'), JSON.stringify(next));
    const result = await services.ruleSets.publish(services.org._id);
    assert.deepStrictEqual(result.errors, []);
  };
  await publish(rules);
  // Starts the record counts, so that they include all later records and `reconcile` compares them.
  await rollUp(services, { org: services.org._id, now: services.clock.now() });
  return {
    ...opened,
    services,
    author,
    program: made,
    policies: madePolicies,
    publish,
    addMember: (fields = {}) => createMember(services, author, { program: made._id, ...fields }, services.clock.now()),
  };
}

/** Makes an offer of the program of a world. @returns its id */
export async function addOffer({ server, program }: World, code: string, fields: object = {}): Promise<string> {
  const offer = { code, name: code, program: program._id, ...fields };
  const { status, body } = await server.as('admin').post('/offers', offer);
  assert.deepStrictEqual([status, body.errors], [201, undefined]);
  return body._id;
}

/** A rule that gives one point for each unit of value. */
export const earnRule = {
  key: 'earn',
  name: 'A point per unit',
  status: 'active',
  activityTypes: ['Accrual'],
  priority: 10,
  conditions: { all: [] },
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
};

/** A rule that burns the value of a redemption in points. */
export const redeemRule = {
  key: 'redeem',
  name: 'Burn the value',
  status: 'active',
  activityTypes: ['Redemption'],
  conditions: { all: [] },
  actions: [{ type: 'redeemPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
};
