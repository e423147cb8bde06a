import { setTimeout as sleep } from 'node:timers/promises';
import { numberEvents } from '#platform/events/numberEvents';
import type { ReadEvent } from '../platform/events/following';
import { toldFaults } from '../platform/events/toldFaults';
import { type Client, client, type Response } from '../support/client';
import { type ServiceProcess, startApi, startProcess } from '../support/processes';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

const memberCount = 4;
const each = 24;

let world: World;
let processes: ServiceProcess[] = [];
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  await world.close();
});

/** Posts until an answer comes that is no 503, through another process when one is gone. */
async function answered(clients: readonly Client[], n: number, body: object): Promise<Response> {
  const through = clients[n % clients.length] as Client;
  const answer = await through.post('/activity', body).catch(() => undefined);
  return answer && answer.status !== 503 ? answer : answered(clients, n + 1, body);
}

test('a reader gets each event once and in order, while processes commit and an API and a worker are killed', async () => {
  const members = await Promise.all(Array.from({ length: memberCount }, () => world.addMember()));
  const { config, users } = world.services;
  const [api, worker] = await Promise.all([
    startApi(config),
    startProcess('workers/main.ts', { ...config, WORKER_PORT: 0 }),
  ]);
  processes = [api, worker];
  const clients = [client(api.url, users.client.token), world.server.as('client')];
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
  // A second worker, which competes with the one that is killed.
  const number = () => numberEvents(world.services, world.services.clock.now());
  const reading = (async () => {
    while (isPosting) {
      await number();
      if ((await read()) === 0) await sleep(20);
    }
  })();
  const posting = members.map(async ({ _id: memberID }, index) => {
    for (let n = 0; n < each; n += 1) {
      const type = n % 3 === 2 ? 'Redemption' : 'Accrual';
      await answered(clients, index + n, { type, memberID, value: 1 + (n % 5), externalTxnId: `killed-${index}-${n}` });
      if (index === 0 && n === 6) await worker.kill();
      if (index === 0 && n === 12) await api.kill();
    }
  });
  await Promise.all(posting);
  isPosting = false;
  await reading;
  // What the killed worker was numbering is free once its transaction is given up.
  const waiting = () => world.services.db.collection('eventpages').countDocuments({ waits: true });
  for (; (await waiting()) > 0; await sleep(20)) await number();
  while ((await read()) > 0);
  expect(await toldFaults(world, events)).toEqual([]);
  const actual = events.filter(({ type }) => type.startsWith('activity.')).map(({ data }) => data.externalTxnId);
  expect(actual).toHaveLength(memberCount * each);
  expect(new Set(actual).size).toBe(memberCount * each);
});
