import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { memberResource } from '#records/members/member';
import { journalResource } from '#records/points/journal';
import { client } from '../support/client';
import { type ServiceProcess, startApi } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';

const dayMs = 86_400_000;
const memberCount = process.env.FAULTS === 'full' ? 2000 : 150;

let world: World;
let apis: (ServiceProcess & { url: string })[] = [];
beforeAll(async () => {
  const escrow = { type: 'duration', value: 1, unit: 'day' } as const;
  const expiry = { type: 'rolling', value: 3, unit: 'day' } as const;
  world = await openWorld({ rules: [earnRule], policies: [{ escrow, expiry }], config: { RATE_LIMIT: 0 } });
  apis = await Promise.all([1, 2, 3].map(() => startApi(world.services.config)));
}, 60_000);
afterAll(async () => {
  await Promise.all(apis.map((api) => api.kill()));
  await world?.close();
});

/** Runs the timer of due dates in these processes at once; an answer that does not come, or a 503, counts as done. */
async function runTimers(processes: readonly { url: string }[]): Promise<void> {
  const { token } = world.services.users.admin;
  await Promise.all(
    processes.map(({ url }) =>
      client(url, token)
        .post('/jobs/expiry/run')
        .catch(() => undefined),
    ),
  );
}

async function entries(kind: 'release' | 'expire') {
  const { db, org } = world.services;
  return collectionOf(db, journalResource).find({ org: org._id, kind }).toArray();
}

test('three processes that settle due dates at once, of which two are killed, release and expire each lot once and none early', async () => {
  const { services, program } = world;
  const own = world.server.as('client');
  const real = Date.now();
  const made: unknown[] = [];
  // Half of the lots were earned so long ago that they expired; the others are in escrow until tomorrow.
  for (let n = 0; n < memberCount; n += 1) {
    services.clock.set(new Date(real - (n % 2 === 0 ? 10 * dayMs : dayMs / 2)));
    const { _id } = await world.addMember();
    made.push(_id);
    await own.post('/activity', { type: 'Accrual', memberID: _id, value: 5 });
  }
  services.clock.follow();
  const [first, second, third] = apis;
  if (!first || !second || !third) throw new RangeError('no processes');
  const running = runTimers([first, second, third]);
  while ((await entries('expire')).length < memberCount / 20) await sleep(2);
  await Promise.all([first.kill(), second.kill()]);
  await running;
  const due = { org: program.org, nextDue: { $lte: new Date() } };
  const giveUpAt = Date.now() + 60_000;
  // Transactions of killed processes keep their members for some seconds.
  while ((await collectionOf(services.db, memberResource).countDocuments(due)) > 0 && Date.now() < giveUpAt) {
    await runTimers([third]);
    await sleep(500);
  }
  const old = made.filter((_id, n) => n % 2 === 0).map(String);
  for (const kind of ['release', 'expire'] as const) {
    const members = (await entries(kind)).map(({ member }) => String(member));
    expect(members.sort()).toEqual([...old].sort());
  }
  expect((await reconcile(services, {})).mismatches).toBe(0);
});
