import assert from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { reconcile } from '#members/reconcile/reconcile';
import { writeArchive } from '#operations/archive/writeArchive';
import type { Member } from '#records/members/member';
import { databaseOf } from '../../support/stores';
import { openVariedWorld, type VariedWorld } from './variedWorld';

/** What is noted of archived activities, changed by a fault or by hand: reconcile finds it, and nothing before. */
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-archived-'));
let varied: VariedWorld;
let member: Member;
let archivedId: ObjectId;

const rowsOf = (name: string) => databaseOf(varied.world.services.db).collection(name);

beforeAll(async () => {
  varied = await openVariedWorld();
  const { services } = varied.world;
  member = await varied.addMember();
  const act = async (rule: string, value: number, fields: object = {}) => {
    services.clock.advance(1000);
    return new ObjectId(await varied.act(member._id, rule, value, fields));
  };
  archivedId = await act('earn', 40, { externalTxnId: 'first', couponCode: 'TEN' });
  await act('bonus', 5);
  await varied.acting.cancel(String(await act('earn', 7)));
  await act('count', 1);
  await act('pooled', 30);
  await varied.runTimers();
  services.clock.advance(60 * dayMs);
  for (let n = 0; n < 3; n += 1) await act('earn', 2);
  await varied.runTimers();
  services.clock.advance(60 * dayMs);
  await varied.runTimers();
  const before = new Date(services.clock.now().getTime() - 90 * dayMs);
  const { histories } = await writeArchive(services.db, {
    org: services.org,
    before,
    root,
    clock: services.clock,
    onProgress: () => undefined,
  });
  expect(histories).toBe(6);
});

afterAll(async () => {
  await varied.world.close();
  rmSync(root, { recursive: true });
});

async function found(): Promise<string[]> {
  const messages: string[] = [];
  const { services, author } = varied.world;
  await reconcile(services, { org: author.org, onMismatch: ({ message }) => messages.push(message) });
  return messages;
}

const own = () => ({ member: member._id });
const change = (name: string, filter: () => object, update: object) => async () =>
  expect((await rowsOf(name).updateOne(filter(), update)).modifiedCount).toBe(1);

const corruptions: [name: string, collection: string, corrupt: () => Promise<unknown>, named: string][] = [
  [
    'a raised number of purchases',
    'archiveopenings',
    change('archiveopenings', own, { $inc: { purchases: 1 } }),
    'purchases',
  ],
  [
    'an edited sum of a metric',
    'archiveopenings',
    change('archiveopenings', own, { $inc: { 'metrics.0.value': 1 } }),
    'by its histories and its archive',
  ],
  [
    'an edited number of activities',
    'archiveopenings',
    change('archiveopenings', own, { $inc: { activities: 1 } }),
    'its members count',
  ],
  ['lost sums', 'archiveopenings', () => rowsOf('archiveopenings').deleteOne(own()), 'its members count'],
  [
    'an edited use',
    'archiveduses',
    change('archiveduses', () => ({ used: { $gt: 0 } }), { $inc: { used: 1 } }),
    'Counter',
  ],
  ['lost ids', 'archivedactivities', () => rowsOf('archivedactivities').deleteOne({}), 'which has no history'],
  [
    'ids that stand twice',
    'archivedactivities',
    async () => {
      const page = await rowsOf('archivedactivities').findOne({});
      await rowsOf('archivedactivities').insertOne({ ...page, _id: new ObjectId() });
    },
    'ids of 6 archived activities',
  ],
  [
    'an edited volume',
    'archivevolumes',
    change('archivevolumes', () => ({}), { $inc: { removed: 1 } }),
    'its volumes 7',
  ],
  [
    'an edited daily aggregate of an archived day',
    'dailyaggregates',
    change('dailyaggregates', () => ({ memberId: member._id, metricName: 'spend' }), {
      $inc: { metricAggValue: 1 },
    }),
    'spend of all days',
  ],
  [
    'an archived activity that has a history too',
    'activityhistories',
    async () => {
      const history = await rowsOf('activityhistories').findOne({ memberID: member._id, type: 'Accrual' });
      assert(history, 'the member has a history');
      await rowsOf('activityhistories').insertOne({ ...history, _id: archivedId, externalTxnId: 'first' });
    },
    'is in the archive, and has a history too',
  ],
  [
    'a number of purchases without the archived ones',
    'members',
    change('members', () => ({ _id: member._id }), { $set: { processedAccruals: 3 } }),
    'purchases',
  ],
];

test('nothing is found before', async () => {
  expect(await found()).toEqual([]);
});

test.each(corruptions)('%s is found', async (_name, collection, corrupt, named) => {
  const rows = rowsOf(collection);
  const before = await rows.find().toArray();
  try {
    await corrupt();
    expect((await found()).filter((message) => message.includes(named))).not.toEqual([]);
  } finally {
    await rows.deleteMany({});
    await rows.insertMany(before);
  }
});

test('nothing is found after all of them were mended', async () => {
  expect(await found()).toEqual([]);
});
