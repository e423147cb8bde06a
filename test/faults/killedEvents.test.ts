import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadEvent } from '../events/following';
import { toldFaults } from '../events/toldFaults';
import { type Client, client, type Response } from '../support/client';
import { type ServiceProcess, startApi, startProcess } from '../support/processes';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

const memberCount = 8;
const each = 60;

let world: World;
let processes: ServiceProcess[] = [];
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  await world.close();
});

const start = async () => {
  const [api, otherApi, ...workers] = await Promise.all([
    startApi(world.services.config),
    startApi(world.services.config),
    ...[0, 1].map(() => startProcess('workers/main.ts', { ...world.services.config, WORKER_PORT: 0 })),
  ]);
  processes = [api, otherApi, ...workers];
  return { apis: [api, otherApi], workers };
};

/** Posts until an answer comes that is no 503, through another process when one is gone. */
async function answered(clients: readonly Client[], n: number, body: object): Promise<Response> {
  const through = clients[n % clients.length] as Client;
  const answer = await through.post('/activity', body).catch(() => undefined);
  return answer && answer.status !== 503 ? answer : answered(clients, n + 1, body);
}

test('a reader gets each event once and in order, while processes commit and an API and a worker are killed', async () => {
  const members = await Promise.all(Array.from({ length: memberCount }, () => world.addMember()));
  const { apis, workers } = await start();
  const clients = apis.map(({ url }) => client(url, world.services.users.client.token));
  const events: ReadEvent[] = [];
  const reader = world.server.as('reader');
  let after = '';
  const read = async () => {
    const { status, body } = await reader.get(`/events?limit=37${after && `&after=${after}`}`);
    if (status !== 200) return 0;
    events.push(...body.events);
    after = body.next;
    return body.events.length as number;
  };
  let isPosting = true;
  const reading = (async () => {
    while (isPosting) if ((await read()) === 0) await sleep(20);
  })();
  const posting = members.map(async ({ _id: memberID }, index) => {
    for (let n = 0; n < each; n += 1) {
      const type = n % 3 === 2 ? 'Redemption' : 'Accrual';
      await answered(clients, index + n, { type, memberID, value: 1 + (n % 5), externalTxnId: `killed-${index}-${n}` });
      if (index === 0 && n === 15) await workers[0]?.kill();
      if (index === 0 && n === 30) await apis[0]?.kill();
    }
  });
  await Promise.all(posting);
  isPosting = false;
  await reading;
  // The worker that is left gives ids to the rest.
  const waiting = () => world.services.db.collection('eventpages').countDocuments({ waits: true });
  while ((await waiting()) > 0) await sleep(20);
  while ((await read()) > 0);
  expect(await toldFaults(world, events)).toEqual([]);
  const told = events.filter(({ type }) => type.startsWith('activity.')).map(({ data }) => data.externalTxnId);
  expect(told).toHaveLength(memberCount * each);
  expect(new Set(told).size).toBe(memberCount * each);
});
