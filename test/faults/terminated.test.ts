import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from '../support/givenTime';
import { startApi } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';

/** The number of rounds; `npm run faults` runs more. */
const rounds = process.env.FAULTS === 'full' ? 10 : 2;
const clientCount = 48;

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

/** The outcome of one post. */
type Outcome = { status: number } | { error: string };

/** Posts one point over a connection that stays open until the server closes it. */
function post(url: string, agent: Agent | false, memberID: unknown, externalTxnId: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${world.services.users.client.token}`,
      'Content-Type': 'application/json',
    };
    const sent = request(`${url}/api/v1/activity`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0 }));
      answer.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.name }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.name }));
    sent.end(JSON.stringify({ type: 'Accrual', memberID, value: 1, externalTxnId }));
  });
}

test.each(Array.from({ length: rounds }, (_unused, round) => [round]))(
  'after SIGTERM under load no connection is reset, every effect is answered and the process exits with 0 in 10 s (round %i)',
  async (round) => {
    const api = await startApi(world.services.config);
    const member = await world.addMember();
    const outcomes: Outcome[] = [];
    let isOver = false;
    const load = Array.from({ length: clientCount }, async (_unused, n) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      // Every third client pauses between posts, so that some connections are idle when the server stops.
      for (let count = 0; !isOver; count += 1) {
        const outcome = await post(api.url, agent, member._id, `end-${round}-${n}-${count}`);
        outcomes.push(outcome);
        if ('error' in outcome) return;
        if (n % 3 === 0) await sleep(Math.random() * 400);
      }
      agent.destroy();
    });
    while (outcomes.length < 300) await sleep(20);
    const takenMs = stopwatch();
    const code = await api.stop();
    const durationMs = takenMs();
    isOver = true;
    await Promise.all(load);

    expect(code).toBe(0);
    expect(durationMs).toBeLessThan(10_500);
    const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
    expect(errors.filter((error) => error !== 'ECONNREFUSED')).toEqual([]);
    const answered = outcomes.filter((outcome) => 'status' in outcome && outcome.status === 200).length;
    const { body } = await world.server.as('client').get(`/members/${member._id}/purses`);
    expect(body[0].balance).toBe(answered);
  },
);

test('requests that were pipelined before SIGTERM are answered in order, and the last answer closes the connection', async () => {
  const api = await startApi(world.services.config);
  const member = await world.addMember();
  const count = 20;
  const head = `Host: a\r\nAuthorization: Bearer ${world.services.users.client.token}\r\nContent-Type: application/json`;
  const posts = Array.from({ length: count }, (_unused, n) => {
    const body = JSON.stringify({ type: 'Accrual', memberID: member._id, value: 1, externalTxnId: `pipelined-${n}` });
    return `POST /api/v1/activity HTTP/1.1\r\n${head}\r\nX-Request-Id: ${n}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let received = '';
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', resolve);
    socket.on('error', reject);
  });
  socket.write(posts.join(''));
  while (!received.includes('HTTP/1.1 200')) await sleep(1);
  const code = await api.stop();
  await ended;
  const ids = [...received.matchAll(/X-Request-Id: (\d+)/gi)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: count }, (_unused, n) => n));
  expect(received.match(/Connection: close/gi)).toHaveLength(1);
  expect(code).toBe(0);
});
