import { ObjectId } from 'bson';
import { createClaimedRuns, type Job } from '#base/db/leases/claimedRuns';
import { RunEnded } from '#base/db/leases/claimedWork';
import { openTestServer } from '../../../support/server';

interface Work {
  _id: ObjectId;
  org: ObjectId;
  status: string;
  attempts: number;
  run?: ObjectId;
  aliveAt?: Date;
  lostRuns?: ObjectId[];
}

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const works = () => server.services.db.collection<Work>('works');
const begin = async (more: Partial<Work> = {}) => {
  const _id = new ObjectId();
  await works().insertOne({ _id, org: new ObjectId(), status: 'Queued', attempts: 0, ...more });
  return _id;
};
const stored = (_id: ObjectId) => works().findOne({ _id });

/** What another process has: its own memory of the runs that it has. */
function openRuns() {
  const failures: Error[] = [];
  const runs = createClaimedRuns<Work>({
    path: 'works',
    read: async (_db, own) => {
      const failure = failures.pop();
      if (failure) throw failure;
      return works().findOne(own);
    },
    statuses: ['Queued', 'Running'],
    returnedStatus: 'Queued',
    silentMaxMs: 10_000,
    aliveEveryMs: 1000,
    atOnce: 3,
    attemptsMax: 2,
    turn: { turnMs: 10_000, perSkipped: 1 },
  });
  const job: Job<Work> = {
    work: async () => ({ status: 'Done' }),
    givenUp: () => ({ status: 'Failed' }),
    failed: (_work, error) => (error instanceof RunEnded ? { back: { note: 'later' } } : { status: 'Failed' }),
  };
  const runNext = (more: Partial<Job<Work>> = {}) => runs.runNext(server.services, { ...job, ...more });
  return { runs, failures, runNext };
}

test('work is done once by whoever claims it first, and its end is stored and logged', async () => {
  const id = await begin();
  const ended: string[] = [];
  const more = { ended: (_work: Work, { status }: { status: string }) => void ended.push(status) };
  const ran = await Promise.all([openRuns(), openRuns(), openRuns()].map(({ runNext }) => runNext(more)));
  expect(ran.filter(Boolean)).toHaveLength(1);
  expect(ended).toEqual(['Done']);
  expect(await stored(id)).toMatchObject({ status: 'Done', attempts: 0, finishedAt: expect.any(Date) });
});

test('work that yields goes back with its state, and begins again without counting an attempt', async () => {
  const id = await begin();
  const { runs, runNext } = openRuns();
  await runNext({ work: () => Promise.reject(new RunEnded()) });
  const back = await stored(id);
  expect(back).toMatchObject({ status: 'Queued', attempts: 0, note: 'later' });
  expect([back?.run, back?.aliveAt, runs.count()]).toEqual([undefined, undefined, 0]);
  expect(await runNext()).toBe(true);
  expect(await stored(id)).toMatchObject({ status: 'Done', attempts: 0 });
});

test('claimed work that cannot be read goes back at once', async () => {
  const id = await begin();
  const { runs, failures, runNext } = openRuns();
  failures.push(new Error('the store is away'));
  await expect(runNext()).rejects.toThrow('the store is away');
  expect(runs.count()).toBe(0);
  expect(await stored(id)).toMatchObject({ status: 'Queued', attempts: 0 });
  expect(await runNext()).toBe(true);
});

test('a silent run is taken over and counts as an ended process, and its work is given up after too many', async () => {
  const silent = new Date(Date.now() - 10_001);
  const run = new ObjectId();
  const id = await begin({ status: 'Running', run, aliveAt: new Date() });
  const { runNext } = openRuns();
  expect(await runNext()).toBe(false);
  await works().updateOne({ _id: id }, { $set: { aliveAt: silent } });
  expect(await runNext()).toBe(true);
  expect(await stored(id)).toMatchObject({ status: 'Done', attempts: 1, lostRuns: [run] });
  const often = await begin({ status: 'Running', run, aliveAt: silent, attempts: 1 });
  expect(await runNext()).toBe(true);
  expect(await stored(often)).toMatchObject({ status: 'Failed', attempts: 2 });
});

test('the end of work that was stopped in the meantime is not stored', async () => {
  const id = await begin();
  const { runNext } = openRuns();
  const stop = async () => {
    await works().updateOne({ _id: id }, { $set: { status: 'Stopped' } });
    return { status: 'Done' };
  };
  expect(await runNext({ work: stop })).toBe(true);
  expect(await stored(id)).toMatchObject({ status: 'Stopped' });
});
