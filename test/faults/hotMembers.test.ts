import { type Client, client } from '../support/client';
import { stopwatch } from '../support/givenTime';
import { type ServiceProcess, startApi } from '../support/processes';
import { scrape, valueIn } from '../support/scrape';
import { earnRule, openWorld, type World } from '../support/world';

const postsEach = process.env.FAULTS === 'full' ? 500 : 60;
/** The first posts of a process load rules and definitions. */
const warmUps = 10;
const clientCount = 16;
const memberCount = 5;

let world: World;
let api: ServiceProcess & { url: string };
let ids: unknown[];
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], config: { RATE_LIMIT: 0 } });
  api = await startApi(world.services.config);
  ids = (await Promise.all(Array.from({ length: memberCount }, () => world.addMember()))).map(({ _id }) => _id);
});
afterAll(async () => {
  await api?.stop();
  await world?.close();
});

/** A client that posts so often, one post after the other; returns how long each took, in milliseconds. */
async function postInTurn(own: Client, n: number, posts: number): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < posts; count += 1) {
    const takenMs = stopwatch();
    const memberID = ids[(n + count) % ids.length];
    const { status } = await own.post('/activity', { type: 'Accrual', memberID, value: 1 });
    expect(status).toBe(200);
    times.push(takenMs());
  }
  return times;
}

test('16 clients at five members cause nearly no commit that starts again, and none waits long', async () => {
  const own = client(api.url, world.services.users.client.token);
  const postAtOnce = async (posts: number) => {
    const clients = Array.from({ length: clientCount }, (_unused, n) => postInTurn(own, n, posts));
    return (await Promise.all(clients)).flat().sort((a, b) => a - b);
  };
  await postAtOnce(warmUps);
  const times = await postAtOnce(postsEach);
  const [median = 0, late = 0] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)]);
  process.stderr.write(`hot members: median ${Math.round(median)} ms, p99 ${Math.round(late)} ms\n`);
  const metrics = await scrape(api.url);
  const retries = valueIn(metrics, 'loyalty_commit_retries_total');
  const batches = valueIn(metrics, 'loyalty_batch_size_count');
  expect((batches + retries) / batches).toBeLessThanOrEqual(1.05);
  // 100 ms on a quiet machine; another one is as much slower at the median.
  expect(late).toBeLessThan(Math.max(100, 6 * median));
  const purses = await Promise.all(ids.map((id) => own.get(`/members/${id}/purses`)));
  expect(purses.reduce((sum, { body }) => sum + body[0].balance, 0)).toBe(clientCount * (warmUps + postsEach));
});
