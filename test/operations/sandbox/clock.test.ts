import { fc } from '@fast-check/jest';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { reconcile } from '#members/reconcile/reconcile';
import { runJob } from '#operations/jobs/runJob';
import type { Client } from '../../support/client';
import { drawn, isLong, scaled } from '../../support/scale';
import { addWorld, openWorld, type World } from '../../support/world';
import { busyWorld, cloneWorld, type SandboxClients } from './sandboxWorld';

const start = new Date('2026-03-10T12:00:00.000Z');
const dayMs = 86_400_000;

let world: World;
let sandbox: SandboxClients;
beforeAll(async () => {
  world = await openWorld(busyWorld);
  world.services.clock.set(start);
  sandbox = await cloneWorld(world, 'moved');
});
afterAll(() => world.close());
beforeEach(() => world.services.clock.set(start));

type Step = { days: number } | { type: string; value: number };

interface Lot {
  dtEarned: string;
  accruedPoints: number;
}

/** What a member's ledger says, without ids. */
async function ledgerOf(as: Client, member: string): Promise<unknown> {
  const of = async (path: string, query: object) =>
    (await as.get(`/${path}?query=${encodeURIComponent(JSON.stringify(query))}&limit=1000`)).body;
  const { purses, tiers } = (await as.get(`/members/${member}`)).body;
  const journal = await of('journal', { member });
  const lots = await of('accrualitems', { member });
  const histories = await of('activityhistories', { memberID: member });
  // Ids begin with the moment of the machine, which stands still in one of the orgs: lists are compared in another order.
  const sorted = (list: object[]) =>
    list
      .map((each) => JSON.stringify(each))
      .sort()
      .map((each) => JSON.parse(each));
  const inOrder = sorted(lots.map(({ dtEarned, accruedPoints, ...lot }: Lot) => ({ dtEarned, accruedPoints, ...lot })));
  const past = sorted(histories.map(({ type, date }: Record<string, unknown>) => ({ type, date })));
  const text = JSON.stringify({ purses, tiers, journal, lots: inOrder, past });
  return JSON.parse(text, (key, value) => {
    if (['_id', 'org', 'createdBy', 'updatedBy', 'member', 'program', 'policyId', 'rule', 'pursePolicy'].includes(key))
      return undefined;
    return typeof value === 'string' ? value.replace(/\b[0-9a-f]{24}\b/g, 'an id') : value;
  });
}

async function addMember(as: Client, program: string): Promise<string> {
  const { status, body } = await as.post('/members', {
    program,
    birthDate: '1990-03-20',
    enrolledAt: start.toISOString(),
  });
  expect(status).toBe(201);
  return body._id;
}

async function act(as: Client, member: string, step: { type: string; value: number }) {
  const { status } = await as.post('/activity', { memberID: member, srcChannelType: 'Web', ...step });
  expect(status).toBe(200);
}

/** The same in an org whose members wait by the clock of the machine, with its timers day by day. */
async function waited(real: World, steps: readonly Step[]): Promise<unknown> {
  const { services, server } = real;
  const as = server.as('client');
  const member = await addMember(as, real.program._id.toHexString());
  const drain = createInboxDrain(services);
  const runTimers = async () => {
    for (const name of ['rules', 'escrow', 'occasions'] as const) await runJob(services, name, services.org._id);
    await drain.drain();
    for (const name of ['escrow', 'members', 'aggregates'] as const) await runJob(services, name, services.org._id);
  };
  await runTimers();
  for (const step of steps) {
    if ('type' in step) await act(as, member, step);
    else {
      for (let day = 0; day < step.days; day += 1) {
        services.clock.advance(dayMs);
        await runTimers();
      }
    }
  }
  await drain.close();
  return ledgerOf(as, member);
}

async function moved(clients: SandboxClients, steps: readonly Step[]): Promise<unknown> {
  const as = clients.as('client');
  await clients.as('admin').post('/sandbox/wipe', { resetClock: true });
  const member = await addMember(as, clients.program);
  await clients.as('admin').post('/jobs/occasions/run', {});
  for (const step of steps) {
    if ('type' in step) await act(as, member, step);
    else {
      const { status } = await clients
        .as('admin')
        .put('/sandbox/clock', { advance: { value: step.days, unit: 'day' } });
      expect(status).toBe(200);
    }
  }
  return ledgerOf(as, member);
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ days: fc.integer({ min: 1, max: isLong ? 30 : 12 }) }),
  fc.record({ type: fc.constantFrom('Accrual', 'Redemption'), value: fc.integer({ min: 1, max: 100 }) }),
);

test('moving the clock of a sandbox gives the ledger that waiting gives', async () => {
  const fixed: Step[] = [
    { type: 'Accrual', value: 100 },
    { days: 2 },
    { type: 'Redemption', value: 10 },
    { days: 2 },
    { type: 'Redemption', value: 30 },
    { days: 8 },
    { type: 'Accrual', value: 7 },
    { days: 45 },
  ];
  const random = fc.sample(fc.array(step, { minLength: 3, maxLength: 8 }), {
    numRuns: scaled(1),
    seed: Number(process.env.TEST_SEED ?? 7),
  });
  for (const steps of drawn([[fixed], random]).flat()) {
    world.services.clock.set(start);
    const real = await addWorld(world, busyWorld);
    const expected = await waited(real, steps);
    world.services.clock.set(start);
    expect([steps, await moved(sandbox, steps)]).toEqual([steps, expected]);
  }
  const { services } = world;
  services.clock.set(new Date(start.getTime() + 400 * dayMs));
  expect(await reconcile(services)).toMatchObject({ mismatches: 0 });
});

describe('the clock', () => {
  const put = (body: object) => sandbox.as('admin').put('/sandbox/clock', body);
  const nowOf = async () => new Date((await sandbox.as('admin').get('/sandbox')).body.now).getTime();

  test('can be read, moved to an instant or by a duration, and never back', async () => {
    const before = await nowOf();
    const to = new Date(before + 36 * 3_600_000);
    expect(await put({ now: to })).toMatchObject({ status: 200, body: { code: 'moved', now: to.toISOString() } });
    expect(await put({ advance: { value: 1, unit: 'month' } })).toMatchObject({ status: 200 });
    expect(await nowOf()).toBeGreaterThan(before + 28 * dayMs);
    const at = await nowOf();
    expect(await put({ now: new Date(at) })).toMatchObject({ status: 422 });
    expect(await nowOf()).toBe(at);
  });

  test.each([
    [{}, 'now'],
    [{ now: '2030-01-01', advance: { value: 1, unit: 'day' } }, 'now'],
    [{ now: '1999-01-01T00:00:00.000Z' }, 'now'],
    [{ advance: { value: 3, unit: 'year' } }, 'advance.value'],
    [{ advance: { value: 0, unit: 'day' } }, 'advance.value'],
    [{ advance: { value: 1, unit: 'century' } }, 'advance.unit'],
    [{ now: '9999-01-01T00:00:00.000Z' }, 'now'],
  ])('%j is refused, and nothing moves', async (body, path) => {
    const before = await nowOf();
    const { status, body: answer } = await put(body);
    expect([status, answer.errors[0].path]).toEqual([422, path]);
    expect(await nowOf()).toBe(before);
  });

  test('is followed by the dates of activities and the limit of a day ahead', async () => {
    const as = sandbox.as('client');
    const member = await addMember(as, sandbox.program);
    const at = await nowOf();
    const post = (date?: Date) =>
      as.post('/activity', { type: 'Accrual', memberID: member, value: 5, srcChannelType: 'Web', date });
    const { body } = await post();
    const history = (await as.get(`/activityhistories/${body.result.data.activityId}`)).body;
    expect(new Date(history.date).getTime()).toBe(at);
    expect((await post(new Date(at + dayMs / 2))).status).toBe(200);
    expect((await post(new Date(at + 2 * dayMs))).status).toBe(422);
  });

  test('does not change sessions and keys, which follow the clock of the machine', async () => {
    const as = sandbox.as('client');
    const key = { headers: { 'Idempotency-Key': 'moved' } };
    const first = await as.post('/members', { program: sandbox.program }, key);
    await put({ advance: { value: 40, unit: 'day' } });
    const again = await as.post('/members', { program: sandbox.program }, key);
    expect([first.status, again.status, again.body._id]).toEqual([201, 201, first.body._id]);
  });

  test('is the time of a job run by hand, whose run and audit entry have the time of the machine', async () => {
    const as = sandbox.as('client');
    await put({ advance: { value: 10, unit: 'day' } });
    const member = await addMember(as, sandbox.program);
    await act(as, member, { type: 'Accrual', value: 40 });
    const before = await nowOf();
    const { body } = await sandbox.as('admin').post('/jobs/escrow/run', {});
    expect(new Date(body.startedAt)).toEqual(world.services.clock.now());
    const [purse] = (await as.get(`/members/${member}`)).body.purses;
    // Moved once and not twice: points that wait for three days are not released yet.
    expect([purse.escrowsIn > 0, purse.availBalance]).toEqual([true, 0]);
    expect(await nowOf()).toBe(before);
    const [entry] = (await sandbox.as('admin').get('/auditlog?action=run&sort=-_id&limit=1')).body;
    expect(new Date(entry.at).getTime()).toBeLessThan(before);
  });

  test('continues an interrupted move by the timer', async () => {
    const { services } = world;
    const { _id } = sandbox.org;
    const before = await nowOf();
    await services.db
      .collection('orgs')
      .updateOne({ _id }, [{ $set: { 'sandbox.aheadUntilMs': { $add: ['$sandbox.aheadMs', 3 * dayMs] } } }]);
    expect(await put({ advance: { value: 1, unit: 'day' } })).toMatchObject({ status: 409 });
    await runJob(services, 'sandbox', _id);
    expect(await nowOf()).toBe(before + 3 * dayMs);
  });

  test('moves no other org, and has no routes in a real org', async () => {
    const admin = world.server.as('admin');
    for (const answer of [
      await admin.get('/sandbox'),
      await admin.put('/sandbox/clock', { advance: { value: 1, unit: 'day' } }),
      await admin.post('/sandbox/wipe', {}),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { message: expect.stringContaining('no sandbox') } });
    }
    const { body } = await admin.post('/members', { program: world.program._id });
    expect(new Date(body.createdAt)).toEqual(start);
  });

  test('is seen and moved by admins only', async () => {
    for (const role of ['client', 'reader', 'program-manager'] as const) {
      expect((await sandbox.as(role).get('/sandbox')).status).toBe(403);
      expect((await sandbox.as(role).put('/sandbox/clock', { advance: { value: 1, unit: 'day' } })).status).toBe(403);
    }
  });
});
