import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { submissionResource } from '#records/activities/submission';
import type { Client, Response } from '../support/client';
import { type Fleet, startFleet } from '../support/fleet';
import { type ServiceProcess, startProcess } from '../support/processes';
import { ruleWhen } from '../support/ruleWhen';
import { drawn } from '../support/scale';
import { until } from '../support/until';
import { addOffer, openWorld, type World } from '../support/world';

/** Activities that are queued, and those that clients post beside them: together more than budget and uses allow. */
const queuedCount = 1000;
const postedMin = 800;
const budget = 4000;
const uses = 450;

let world: World;
let fleet: Fleet;
let workers: ServiceProcess[] = [];
let members: unknown[];

const processes = ['owner', 'other', 'worker'] as const;
type Killed = (typeof processes)[number];
const cases = process.env.FAULTS === 'full' ? processes : drawn(processes);

beforeAll(async () => {
  world = await openWorld({ rules: processes.map((killed) => ruleWhen(killed, { budget: { points: budget } })) });
});
beforeEach(async () => {
  fleet = await startFleet(world);
  workers = await Promise.all([1, 2].map(() => startProcess('workers/main.ts', world.services.config)));
  const added = await Promise.all(times(50).map(() => world.addMember()));
  members = added.map(({ _id }) => _id);
}, 90_000);
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await fleet.close();
});
afterAll(async () => {
  const { mismatches } = await reconcile(world.services, { org: world.services.org._id });
  await world.close();
  expect(mismatches).toBe(0);
});

const times = (count: number) => Array.from({ length: count }, (_unused, n) => n);

/** Two of three purchases earn points from the budget, one uses the offer. */
function purchase(killed: Killed, kind: string, n: number) {
  const earnsOrUses = n % 3 === 0 ? { couponCode: `offer of ${killed}` } : { ext: { rule: killed } };
  const externalTxnId = `${killed}-${kind}-${n}`;
  return { type: 'Accrual', memberID: members[n % members.length], value: 1 + (n % 7), externalTxnId, ...earnsOrUses };
}

/** Asks until there is an answer other than 503, each time another API. A killed one answers nothing. */
async function answerOf(n: number, ask: (api: Client) => Promise<Response>): Promise<Response> {
  const answer = await ask([fleet.owner, fleet.other][n % 2] as Client).catch(() => undefined);
  return !answer || answer.status === 503 ? answerOf(n + 1, ask) : answer;
}

/** Does something for the numbers below `count`, 32 at a time, and for more while `goesOn`. */
async function inLanes<T>(count: number, once: (n: number) => Promise<T>, goesOn = () => false): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count || goesOn()) {
      const n = next;
      next += 1;
      results[n] = await once(n);
    }
  };
  await Promise.all(times(32).map(lane));
  return results;
}

const countSubmissions = (condition: object) =>
  collectionOf(world.services.db, submissionResource).countDocuments({ org: world.services.org._id, ...condition });
const countQueued = () => countSubmissions({ status: 'Queued' });
const countProcessed = (killed: Killed) =>
  countSubmissions({ status: { $ne: 'Queued' }, key: { $regex: `^${killed}-queued` } });

interface Result {
  errors: { code: number }[];
  log: { results: { accruals?: { accruedPoints: number }[] } }[];
}

/** The points that the rule awarded, by an answer. */
const awarded = ({ log }: Result) =>
  log.flatMap(({ results }) => results.accruals ?? []).reduce((sum, { accruedPoints }) => sum + accruedPoints, 0);

async function balances(): Promise<number> {
  const purses = await inLanes(members.length, (n) => world.server.as('client').get(`/members/${members[n]}/purses`));
  return purses.reduce((sum, { body }) => sum + (body[0]?.balance ?? 0), 0);
}

const kill: Record<Killed, () => Promise<void> | undefined> = {
  owner: () => fleet.owner.kill(),
  other: () => fleet.other.kill(),
  worker: () => workers[0]?.kill(),
};

test.each(cases)(
  'a budget and the uses of an offer are used up exactly by two APIs and two workers, of which one is killed: %s',
  async (killed) => {
    await addOffer(world, `offer of ${killed}`, { discount: { type: 'amount', value: 1 }, uses: { total: uses } });
    const queueing = [0, 1].map(async (half) => {
      const bodies = times(queuedCount / 2).map((n) => purchase(killed, 'queued', n + (half * queuedCount) / 2));
      return (await answerOf(half, (api) => api.post('/activities/bulk?async=true', bodies))).status;
    });
    let queuedBefore: number | undefined;
    const killing = until(async () => (await countProcessed(killed)) > queuedCount / 20).then(async () => {
      await kill[killed]();
      queuedBefore = await countQueued();
    });
    // Each is posted until it is answered. Its key makes sure that it counts once.
    const post = async (n: number) => {
      const { status, body } = await answerOf(n, (api) => api.post('/activity', purchase(killed, 'posted', n)));
      return { status, result: body.result as Result };
    };
    const posted = await inLanes(postedMin, post, () => queuedBefore === undefined);
    await killing;
    expect(queuedBefore).toBeGreaterThan(0);
    expect(await Promise.all(queueing)).toEqual([202, 202]);
    await until(async () => (await countQueued()) === 0);
    const drained = await inLanes(queuedCount, async (n) => {
      const { externalTxnId } = purchase(killed, 'queued', n);
      const { status, body } = await world.server.as('client').get(`/activity/status/${externalTxnId}`);
      return { status, result: body.result as Result };
    });
    const all = [...posted, ...drained];
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    const points = all.reduce((sum, { result }) => sum + awarded(result), 0);
    expect([points, await balances()]).toEqual([budget, budget]);
    const codes = all.map(({ result }) => result.errors.map(({ code }) => code).join());
    const withOffer = codes.filter((_code, n) => (n < posted.length ? n : n - posted.length) % 3 === 0);
    expect(withOffer.filter((code) => code === '')).toHaveLength(uses);
    expect(withOffer.filter((code) => code === '2500')).toHaveLength(withOffer.length - uses);
  },
  180_000,
);

test('a sequence gives no number twice when one of two APIs is killed', async () => {
  await world.server.as('admin').post('/enums', { type: 'SequenceName', value: 'cards' });
  const loyaltyID = { autoIncrement: { seqName: 'cards', type: 'string' } };
  let answered = 0;
  const killing = until(async () => answered > 100).then(kill.owner);
  const made = await inLanes(400, async (n) => {
    const { status, body } = await answerOf(n, (api) =>
      api.post('/members?preprocess=true', { program: world.program._id, loyaltyID }),
    );
    answered += 1;
    return { status, number: body.loyaltyID as string };
  });
  await killing;
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(made.map(({ number }) => number)).size).toBe(made.length);
}, 60_000);
