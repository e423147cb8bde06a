import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, client } from '../support/client';
import { type ServiceProcess, startApi, startProcess } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';

/** Breaks for a value that makes the award no safe number. */
const poisonRule = {
  ...earnRule,
  key: 'poison',
  conditions: { all: [{ fact: 'activity', path: '$.ext.isPoison', operator: 'equal', value: true }] },
  actions: [
    { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 2 ** 40 } },
  ],
};

let world: World;
let processes: ServiceProcess[] = [];
let own: Client;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, poisonRule], config: { RATE_LIMIT: 0 } });
  const { config, users } = world.services;
  const [api, worker] = await Promise.all([startApi(config), startProcess('workers/main.ts', config)]);
  processes = [api, worker];
  own = client(api.url, users.client.token);
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await world?.close();
});

test('activities that break a rule end in Error with the reason; their neighbours in bulk and in the queue are unharmed', async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => world.addMember()));
  const count = 200;
  const isPoison = (n: number) => n % 10 === 3;
  const activities = Array.from({ length: count }, (_unused, n) => ({
    type: 'Accrual',
    memberID: members[n % members.length]?._id,
    value: isPoison(n) ? 2 ** 20 : 5,
    ext: { isPoison: isPoison(n) },
    externalTxnId: `poison-${n}`,
  }));
  const { status, body } = await own.post('/activities/bulk?async=true', activities);
  expect([status, body[3].error]).toEqual([202, undefined]);
  const statusOf = async (n: number) => (await own.get(`/activity/status/poison-${n}`)).body;
  const statuses = [];
  for (let n = 0; n < count; n += 1) {
    let answer = await statusOf(n);
    for (; answer.status === 'Queued'; answer = await statusOf(n)) await sleep(20);
    statuses.push(answer.status);
    if (isPoison(n)) expect(answer.result.errors).not.toEqual([]);
  }
  expect(statuses).toEqual(activities.map((_activity, n) => (isPoison(n) ? 'Error' : 'Processed')));
  const purses = await Promise.all(members.map(({ _id }) => own.get(`/members/${_id}/purses`)));
  const healthy = activities.filter((_activity, n) => !isPoison(n)).length;
  expect(purses.reduce((sum, purse) => sum + purse.body[0].balance, 0)).toBe(5 * healthy);
});
