import type { ObjectId } from 'bson';
import { commitPlan } from '#activities/commit/commitPlan';
import type { Plan } from '#activities/commit/plan';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import { type Submission, submissionResource } from '#records/activities/submission';
import { memberResource } from '#records/members/member';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
});
afterAll(() => world.close());

const submissions = () => collectionOf(world.services.db, submissionResource);
const commit = (plan: Plan) =>
  inTransaction(world.services.db, (session) => commitPlan(world.services.db, session, plan));

async function storeSubmission(status: Submission['status']): Promise<ObjectId> {
  const now = world.services.clock.now();
  const stamps = newStamps(world.author, now);
  const fields = { key: stamps._id.toHexString(), hash: '', acceptedAt: now, attempts: 0, request: {} };
  await submissions().insertOne({ ...stamps, ...fields, status });
  return stamps._id;
}

/** A plan that ends queued submissions and changes members, and writes nothing else. */
function planThatEnds(ids: ObjectId[], changes: Plan['changes'] = []): Plan {
  return {
    org: world.author.org,
    now: world.services.clock.now(),
    changes,
    histories: [],
    originals: [],
    counters: [],
    windows: [],
    issued: [],
    submissions: [],
    replaced: [],
    occasions: [],
    finished: { Processed: ids, Error: [] },
    refused: [],
    failedRows: [],
    cancels: new Map(),
    lowBudgets: [],
  };
}

test('a submission that another process has ended is not ended again, and nothing of the plan is written', async () => {
  const [queued, refused] = [await storeSubmission('Queued'), await storeSubmission('Error')];
  await expect(commit(planThatEnds([queued, refused]))).rejects.toThrow(GuardFailed);
  const found = await submissions()
    .find({ _id: { $in: [queued, refused] } })
    .sort({ _id: 1 })
    .toArray();
  expect(found.map(({ status }) => status)).toEqual(['Queued', 'Error']);
});

test('a member that another commit has changed since it was read is not written, nor is anything else of the plan', async () => {
  const { author, services } = world;
  const read = await world.addMember();
  await collectionOf(services.db, memberResource).updateOne({ _id: read._id }, { $inc: { version: 1 } });
  const { _id: memberId, program, version, purses, aggregates, seq } = read;
  const set = { purses, aggregates, seq, processedAccruals: 77 };
  const due = { nextDue: undefined, aggregatesEndAt: undefined };
  const written = { inserted: [], updated: [], entries: [], metrics: [] };
  const queued = await storeSubmission('Queued');
  const plan = planThatEnds([queued], [{ author, memberId, program, version, set, due, ...written }]);
  await expect(commit(plan)).rejects.toThrow(GuardFailed);
  const found = await collectionOf(services.db, memberResource).findOne({ _id: memberId });
  expect(found).toMatchObject({ version: version + 1, processedAccruals: 0 });
  expect(await submissions().findOne({ _id: queued })).toMatchObject({ status: 'Queued' });
});

test('a queued submission ends, and its request is removed', async () => {
  const queued = await storeSubmission('Queued');
  await commit(planThatEnds([queued]));
  expect(await submissions().findOne({ _id: queued })).toMatchObject({ status: 'Processed', key: `${queued}` });
  expect(await submissions().countDocuments({ _id: queued, request: { $exists: true } })).toBe(0);
});
