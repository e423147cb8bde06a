import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { failure } from '#base/common/failure';
import { message } from '#base/common/messages/message';
import { runLimits, runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { startSimulationsWorker } from '../../../workers/simulationsWorker';
import { client } from '../../support/client';
import { makeTestOrg } from '../../support/services';
import { earnRule, openWorld, type World } from '../../support/world';

const birthdayRule = {
  ...earnRule,
  key: 'birthday',
  name: 'A gift on the birthday',
  priority: 5,
  conditions: { all: [{ fact: 'isBirthday', operator: 'equal', value: true }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 50 }],
};
const times = (factor: number) => ({
  ...earnRule,
  actions: [
    { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: factor } },
  ],
});

let world: World;
let members: string[];
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, birthdayRule], policies: [{ costPerPoint: 0.01 }] });
  world.services.clock.set('2026-11-21T12:00:00Z');
  const born = await world.addMember({ birthDate: '1990-11-20' });
  const other = await world.addMember();
  members = [born, other].map(({ _id }) => _id.toHexString());
  for (const memberID of members) {
    for (const [value, date] of [
      [100, '2026-11-20T10:00:00.000Z'],
      [30, '2026-11-21T10:00:00.000Z'],
    ]) {
      const posted = await world.server.as('client').post('/activity', { type: 'Accrual', memberID, value, date });
      expect(posted.body.result.errors).toEqual([]);
    }
  }
});
afterAll(() => world.close());

const manager = () => world.server.as('program-manager');

/** Starts a simulation, runs it and reads it. */
async function simulate(body: Record<string, unknown>) {
  const response = await manager().post('/rules/simulate', body);
  expect([response.status, response.body.errors]).toEqual([202, undefined]);
  expect(await runNextSimulation(world.services)).toBe(true);
  const read = await manager().send('GET', String(response.headers.get('location')));
  expect(read.status).toBe(200);
  return read.body;
}

test('the answer is a job that shows what changed rules would have done', async () => {
  const response = await manager().post('/rules/simulate', { rules: [times(2)] });
  expect(response).toMatchObject({ status: 202, body: { status: 'Queued', progress: { read: 0 } } });
  expect(response.headers.get('location')).toBe(`/api/v1/simulations/${response.body._id}`);
  expect(response.body).not.toHaveProperty('drafts');

  await runNextSimulation(world.services);

  const { body } = await manager().get(`/simulations/${response.body._id}`);
  expect(body).toMatchObject({
    status: 'Done',
    progress: { read: 4, evaluated: 4, total: 4 },
    result: {
      activities: 4,
      differing: 4,
      notEvaluated: 0,
      failing: 0,
      liability: 2.6,
      points: { before: 310, after: 570, difference: 260 },
      members: { total: 2, winners: 2, losers: 0 },
      byTime: {
        unit: 'day',
        periods: [
          { from: '2026-11-20', before: 250, after: 450, difference: 200 },
          { from: '2026-11-21', before: 60, after: 120, difference: 60 },
        ],
      },
      rules: [
        { program: 'main', key: 'earn', change: 'changed', before: { fired: 4, points: 260 }, difference: 260 },
        { key: 'birthday', change: 'unchanged', before: { fired: 1, points: 50 }, after: { fired: 1, points: 50 } },
      ],
    },
  });
  const file = await manager().get(`/simulations/${response.body._id}/result`);
  expect(file.body).toEqual(body.result);
  expect(file.headers.get('content-disposition')).toContain(`simulation-${response.body._id}.json`);
});

test('unchanged rules give no difference, and only the simulation is written', async () => {
  const before = (await manager().get('/journal/count')).body;
  const { result } = await simulate({ rules: [earnRule] });
  expect(result).toMatchObject({ differing: 0, notEvaluated: 0, points: { difference: 0 } });
  expect((await manager().get('/journal/count')).body).toEqual(before);
  expect((await manager().get('/rulesets/current')).body).toMatchObject({ version: 1 });
});

test('sent files replace all files', async () => {
  const files = { 'main/all.json': JSON.stringify([earnRule]) };
  const { result } = await simulate({ files });
  expect(result.rules).toMatchObject([{ key: 'birthday', change: 'removed', difference: -50 }, { key: 'earn' }]);
  expect(result.members.mostLost).toEqual([{ member: members[0], before: 180, after: 130, difference: -50 }]);
});

test('a fact that no rule had read is named, and the award stays', async () => {
  const vip = { fact: 'aggregate', params: { metric: 'spend', period: 'year' }, operator: 'greaterThan', value: 10 };
  const { result } = await simulate({ rules: [{ ...times(3), conditions: { all: [vip] } }] });
  expect(result).toMatchObject({ notEvaluated: 4, points: { difference: 0 } });
  expect(result.rules.find(({ key }: { key: string }) => key === 'earn')).toMatchObject({
    missing: [{ fact: 'aggregate {"metric":"spend","period":"year"}', activities: 4 }],
  });
});

test.each([
  [{ from: '2026-11-21T00:00:00.000Z' }, 2],
  [{ to: '2026-11-21T00:00:00.000Z' }, 2],
  [{ limit: 3 }, 3],
  [{ program: 'main' }, 4],
  [{ sample: 1 }, 4],
])('%j narrows the simulated activities', async (scope, activities) => {
  expect((await simulate({ rules: [times(2)], ...scope })).result).toMatchObject({ activities });
});

test('cancelled activities count for nothing', async () => {
  const memberID = (await world.addMember())._id.toHexString();
  const { body } = await world.server.as('client').post('/activity', { type: 'Accrual', memberID, value: 7 });
  await world.server.as('client').post(`/activity/${body.result.data.activityId}/cancel`, {});
  expect((await simulate({ rules: [times(2)] })).result).toMatchObject({ activities: 4 });
});

test.each([
  ['neither rules nor files', {}, 'rules'],
  ['both', { rules: [earnRule], files: { 'main/a.json': '{}' } }, 'files'],
  ['a sample of nothing', { rules: [earnRule], sample: 0 }, 'sample'],
  ['a sample above all', { rules: [earnRule], sample: 1.1 }, 'sample'],
  ['no activities', { rules: [earnRule], limit: 0 }, 'limit'],
  [
    'times that are turned round',
    { rules: [earnRule], from: '2026-02-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
    'to',
  ],
  ['a program that is not there', { rules: [earnRule], program: 'nope' }, 'program'],
  ['a field that is unknown', { rules: [earnRule], files2: 1 }, 'files2'],
  ['a folder without a program', { files: { 'main/a.json': '[]', 'mian/a.json': '[]' } }, 'mian:1:1'],
])('%s is refused', async (_name, body, path) => {
  const { status, body: answer } = await manager().post('/rules/simulate', body);
  expect([status, answer.code]).toEqual([422, 1200]);
  expect(answer.errors.map((error: { path: string }) => error.path)).toContain(path);
});

test('rules with faults are refused with file, line and column', async () => {
  const files = { 'main/a.json': '[\n  { "key": }\n]' };
  expect((await manager().post('/rules/simulate', { files })).body.errors).toMatchObject([
    { kind: 'rule', path: 'main/a.json:2:12' },
  ]);
  const rules = [{ ...earnRule, actions: [{ type: 'addPoints', purse: 'Pionts', points: 1 }] }];
  const { body } = await manager().post('/rules/simulate', { rules });
  expect(body.errors[0].path).toMatch(/^main\/rules\.json:\d+:\d+$/);
});

test('another org sees no simulation, and a user without the permission starts none', async () => {
  const response = await manager().post('/rules/simulate', { rules: [earnRule] });
  const { users } = await makeTestOrg(world.services, 'other');
  const stranger = client(world.server.url, users.admin.token);
  expect((await stranger.get(`/simulations/${response.body._id}`)).status).toBe(404);
  expect((await stranger.get(`/simulations/${response.body._id}/result`)).status).toBe(404);
  expect((await stranger.delete(`/simulations/${response.body._id}`)).status).toBe(404);
  expect((await world.server.as('reader').post('/rules/simulate', { rules: [earnRule] })).status).toBe(403);
  expect((await manager().delete(`/simulations/${response.body._id}`)).status).toBe(204);
  expect(await runNextSimulation(world.services)).toBe(false);
});

describe('faults', () => {
  const stored = () => world.services.db.collection('simulations');
  const silentSince = () => new Date(Date.now() - runLimits.silentMaxMs - 1);
  const readNow = async (id: string) => (await manager().get(`/simulations/${id}`)).body;

  test('a killed run is started again after a silence, and fails after three times', async () => {
    const { body } = await manager().post('/rules/simulate', { rules: [times(2)] });
    await stored().updateOne({ status: 'Queued' }, { $set: { status: 'Running', aliveAt: new Date(), attempts: 1 } });
    expect(await runNextSimulation(world.services)).toBe(false);
    await stored().updateOne({ status: 'Running' }, { $set: { aliveAt: silentSince() } });
    expect(await runNextSimulation(world.services)).toBe(true);
    expect(await readNow(body._id)).toMatchObject({ status: 'Done', result: { points: { difference: 260 } } });

    const again = await manager().post('/rules/simulate', { rules: [times(2)] });
    const dead = { status: 'Running', aliveAt: silentSince(), attempts: runLimits.attemptsMax };
    await stored().updateOne({ status: 'Queued' }, { $set: dead });
    expect(await runNextSimulation(world.services)).toBe(true);
    const givenUp = failure(message('simulations.begunInVain'));
    expect(await readNow(again.body._id)).toMatchObject({ status: 'Failed', ...givenUp });
  });

  test('a simulation that fails names the class of the error, in any language', async () => {
    const { body } = await manager().post('/rules/simulate', { rules: [times(2)] });
    await stored().updateOne({ status: 'Queued' }, { $set: { drafts: 7 } });
    await runNextSimulation(world.services);
    const fault = message('words.errorName', { error: 'TypeError' });
    expect(await readNow(body._id)).toMatchObject({ status: 'Failed', error: 'TypeError', fault });
  });

  test('a run that is stopped goes back to the queue and counts for nothing', async () => {
    const { body } = await manager().post('/rules/simulate', { rules: [times(2)] });
    await runNextSimulation(world.services, AbortSignal.abort());
    expect(await readNow(body._id)).toMatchObject({ status: 'Queued' });
    expect(await stored().countDocuments({ status: 'Queued', attempts: 0 })).toBe(1);
    await runNextSimulation(world.services);
    expect(await readNow(body._id)).toMatchObject({ status: 'Done' });
  });

  test('several workers run each simulation once', async () => {
    const response = await Promise.all([1, 2, 3].map((n) => manager().post('/rules/simulate', { rules: [times(n)] })));
    const ran = await Promise.all([1, 2, 3, 4].map(() => runNextSimulation(world.services)));
    expect(ran.filter(Boolean)).toHaveLength(3);
    for (const { body } of response) expect(await readNow(body._id)).toMatchObject({ status: 'Done' });
  });

  test('a process never takes over its own run, which only could not renew its claim', async () => {
    const { body } = await manager().post('/rules/simulate', { rules: [times(2)] });
    const running = runNextSimulation(world.services);
    while ((await readNow(body._id)).status === 'Queued') await sleep(1);
    const seen: boolean[] = [];
    for (let n = 0; n < 5; n += 1) {
      const isOpen = (await stored().countDocuments({ status: 'Running' })) > 0;
      await stored().updateOne({ status: 'Running' }, { $set: { aliveAt: silentSince() } });
      seen.push(isOpen && (await runNextSimulation(world.services)));
    }
    expect(seen).not.toContain(true);
    await running;
    expect(await readNow(body._id)).toMatchObject({ status: 'Done' });
    expect(await stored().findOne({ _id: new ObjectId(String(body._id)) })).toMatchObject({
      attempts: 0,
      lostRuns: [],
    });
  });

  test('a big simulation yields after 10 s while another waits, and a small one ends before it', async () => {
    const post = (body: object) => manager().post('/rules/simulate', body);
    const big: string[] = [];
    for (let n = 0; n < runLimits.atOnce; n += 1) big.push((await post({ rules: [times(2)] })).body._id);
    const small = (await post({ rules: [times(3)], limit: 1 })).body._id as string;
    // The clocks go on at each look: every activity takes more than a second, and every question comes 10 s later.
    const start = world.services.clock.now().getTime();
    let [looks, requested] = [0, 0];
    const now = () => {
      looks += 1;
      return new Date(start + looks * 600);
    };
    const elapsed = () => {
      requested += 1;
      return requested * 10_000;
    };
    await Promise.all(big.map(() => runNextSimulation({ ...world.services, clock: { now } }, undefined, elapsed)));
    const ended = await Promise.all([small, ...big].map(readNow));
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'Done'));
    const [first, ...others] = ended.map(({ finishedAt }) => Date.parse(finishedAt));
    expect(Math.max(...others)).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
  });

  test('more than ten waiting simulations are refused', async () => {
    for (let n = 0; n < 10; n += 1) await manager().post('/rules/simulate', { rules: [earnRule] });
    const { status, headers } = await manager().post('/rules/simulate', { rules: [earnRule] });
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  });

  test('a worker runs what waits, and ends when it is closed', async () => {
    const worker = startSimulationsWorker(world.services);
    while ((await stored().countDocuments({ status: { $in: ['Queued', 'Running'] } })) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await worker.close();
    expect(await stored().countDocuments({ status: 'Failed', attempts: 1 })).toBe(0);
  });
});
