import { setTimeout as sleep } from 'node:timers/promises';
import { openServices, type Services } from '#server/services/services';
import { addOrg, serveTest, type TestServer } from '../../support/server';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
let processes: Record<'api' | 'worker', Services>;
let api: TestServer;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  const { config, clock, org, users } = world.services;
  const open = (role: 'api' | 'worker') => openServices(config, { clock, role });
  processes = { api: await open('api'), worker: await open('worker') };
  api = await serveTest({ ...processes.api, org, users });
});
afterAll(async () => {
  await api.close();
  await processes.api.close();
  await processes.worker.close();
  await world.close();
});

const inForce = async (server = world.server) => (await server.as('reader').get('/rulesets/current')).body.version;

/** The version that each process has used, by its role. */
async function used(server = world.server): Promise<Record<string, number | null>> {
  const { body } = await server.as('reader').get('/jobs/state');
  return Object.fromEntries(
    body.processes.map((each: { role: string; ruleSetVersion: number | null }) => [each.role, each.ruleSetVersion]),
  );
}

/** Waits until the API process says that it has used a version. A process says what it does every five seconds. */
async function untilUsed(version: number): Promise<void> {
  while ((await used()).api !== version) await sleep(100);
}

async function post() {
  const member = await world.addMember();
  const activity = { type: 'Accrual', srcChannelType: 'POS', loyaltyID: member.loyaltyID, value: 10 };
  expect((await api.as('client').post('/activity', activity)).status).toBe(200);
}

test('the state shows for each process which version of the rules it used last', async () => {
  expect(await used()).toEqual({ api: null, worker: null });
  const first = await inForce();
  await post();
  await untilUsed(first);
  expect(await used()).toEqual({ api: first, worker: null });

  await world.publish([{ ...earnRule, name: 'Changed' }]);
  expect(await inForce()).toBeGreaterThan(first);
  expect((await used()).api).toBe(first);
  await post();
  await untilUsed(await inForce());
  // A look at an old version is not its use of the rules in force.
  await processes.api.ruleSets.current(world.services.org._id, first);
  expect(processes.api.ruleSets.used()).toEqual([{ org: world.services.org._id, version: await inForce() }]);
});

test('an org does not see which rules of others a process has used', async () => {
  const other = await addOrg(world.server);
  expect(await used(other)).toEqual({ api: null, worker: null });
});
