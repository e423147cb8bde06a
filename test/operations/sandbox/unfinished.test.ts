import { rulesCommand } from '#commands/rules';
import { type JobName, jobs } from '#operations/jobs/jobs';
import { recordRun } from '#operations/jobs/recordRun';
import { resources } from '#server/services/resources';
import { openWorld, type World } from '../../support/world';
import { busyWorld, cloneWorld, runOrgs, runWith, type SandboxClients } from './sandboxWorld';

/** What goes on in a sandbox without a request: work that was killed, and commands on the host. */
let world: World;
beforeAll(async () => {
  world = await openWorld(busyWorld);
});
afterAll(() => world.close());

async function countsOf(org: unknown): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { path } of resources)
    counts[path] = await world.services.db.collection(path).countDocuments({ org: org as never });
  return counts;
}

/** What a killed process leaves: the sandbox is closed for its work, and the lease is not renewed any more. */
async function killedIn(clone: SandboxClients, work: 'wipe' | 'remove', more: object = {}) {
  const leaseUntil = new Date(world.services.clock.now().getTime() - 1);
  const left = { work, leaseUntil, lease: clone.org._id, ...more };
  const set = Object.fromEntries(Object.entries(left).map(([name, value]) => [`sandbox.${name}`, value]));
  await world.services.db.collection('orgs').updateOne({ _id: clone.org._id }, { $set: set });
}

/** One run of a timer for one org. */
async function runTimer(name: JobName, { org }: SandboxClients) {
  const { services } = world;
  return recordRun(services, { org: org._id, names: [name] }, (own, now) => jobs[name].run(own, { org: org._id, now }));
}

test('a killed wipe or removal is finished by the timer, and the sandbox stays closed until then', async () => {
  const [wiped, gone] = [await cloneWorld(world, 'half'), await cloneWorld(world, 'half-gone')];
  await wiped.as('admin').put('/sandbox/clock', { advance: { value: 1, unit: 'day' } });
  await wiped.as('client').post('/members', { program: wiped.program });
  await killedIn(wiped, 'wipe', { resetsClock: true });
  await killedIn(gone, 'remove');
  expect((await wiped.as('client').post('/members', { program: wiped.program })).status).toBe(503);
  expect((await runTimer('escrow', wiped)).counts).toEqual({});
  expect((await countsOf(wiped.org._id)).members).toBe(1);
  const runs = await Promise.all([runTimer('sandbox', wiped), runTimer('sandbox', gone)]);
  expect(runs.map(({ counts, error }) => ({ counts, error }))).toEqual(
    [1, 2].map(() => ({ counts: { moving: 0 }, error: null })),
  );
  expect((await countsOf(wiped.org._id)).members).toBe(0);
  expect((await wiped.as('client').post('/members', { program: wiped.program })).status).toBe(201);
  const { now, machineNow, work } = (await wiped.as('admin').get('/sandbox')).body;
  expect([now, work]).toEqual([machineNow, undefined]);
  expect(Object.values(await countsOf(gone.org._id)).filter((count) => count > 0)).toEqual([]);
  expect((await runOrgs(world, ['list'])).out.join('\n')).not.toContain('half-gone');
});

test('a wipe that another process is doing is left to it', async () => {
  const live = await cloneWorld(world, 'live');
  await killedIn(live, 'wipe', { leaseUntil: new Date(world.services.clock.now().getTime() + 30_000) });
  await world.services.db.collection('jobs').insertOne({ org: live.org._id });
  expect((await runTimer('sandbox', live)).counts).toEqual({ moving: 1 });
  expect((await countsOf(live.org._id)).jobs).toBeGreaterThan(0);
});

test('rules are scheduled on the host by the clock of the sandbox', async () => {
  const ahead = await cloneWorld(world, 'ahead');
  await ahead.as('admin').put('/sandbox/clock', { advance: { value: 30, unit: 'day' } });
  const { now } = (await ahead.as('admin').get('/sandbox')).body;
  const at = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
  const own = { services: { ...world.services, config: { ...world.services.config, ORG: 'ahead' } } };
  const schedule = (from: string) => runWith(own, rulesCommand, ['schedule', world.rulesDir, '--from', from]);
  // That is later than now by the machine's clock.
  const early = await schedule(at(-1));
  expect([early.code, early.err.join('\n')]).toEqual([
    1,
    expect.stringMatching(/must be at least a second later than now/),
  ]);
  expect(await schedule(at(1))).toMatchObject({ code: 0 });
  const [entry] = (await ahead.as('admin').get('/auditlog?action=schedule')).body;
  expect(entry).toMatchObject({ via: 'host', username: 'system@ahead', id: '2' });
  expect(Date.parse(entry.at)).toBeLessThan(Date.parse(now));
  await ahead.as('admin').put('/sandbox/clock', { advance: { value: 2, unit: 'day' } });
  const { version, scheduled } = (await ahead.as('admin').get('/rulesets/current')).body;
  expect([version, scheduled]).toEqual([3, undefined]);
});
