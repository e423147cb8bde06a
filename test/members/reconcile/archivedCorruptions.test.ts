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
/** The number of the entry that stands for the archived ones. */
let opening: number;

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
  // A lot that stays between others that go: its activity is one of the latest three.
  await act('earn', 2);
  for (let n = 0; n < 2; n += 1) await act('count', 2);
  await act('bonus', 6);
  await varied.runTimers();
  services.clock.advance(1200 * dayMs);
  await varied.runTimers();
  await act('spend', 5);
  await varied.runTimers();
  services.clock.advance(1200 * dayMs);
  await varied.runTimers();
  const before = new Date(services.clock.now().getTime() - 90 * dayMs);
  const moved = await writeArchive(services.db, {
    org: services.org,
    before,
    root,
    clock: services.clock,
    onProgress: () => undefined,
  });
  expect(moved).toMatchObject({ histories: 8, submissions: 1, faulty: 0 });
  expect(moved.points).toBeGreaterThan(4);
  const journal = await rowsOf('journal').find(own()).sort({ seq: 1 }).toArray();
  opening = journal.find(({ kind }) => kind === 'opening')?.seq;
  expect(journal[0]?.seq).toBeLessThan(opening);
  expect(journal.at(-1)?.seq).toBeGreaterThan(opening);
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

/** What is corrupted, in which collection, how, and a part of what reconcile then says. */
type Corruption = [name: string, collection: string, corrupt: () => Promise<unknown>, named: string];

const corruptions: Corruption[] = [
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
  [
    'lost ids',
    'archivedactivities',
    () => rowsOf('archivedactivities').deleteOne({}),
    'ids of archived activities, but',
  ],
  [
    'ids that stand twice',
    'archivedactivities',
    async () => {
      const page = await rowsOf('archivedactivities').findOne({});
      await rowsOf('archivedactivities').insertOne({ ...page, _id: new ObjectId() });
    },
    'ids of 8 archived activities',
  ],
  [
    'an edited volume',
    'archivevolumes',
    change('archivevolumes', () => ({ kind: 'histories' }), { $inc: { removed: 1 } }),
    'its volumes',
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
    'an edited volume of points',
    'archivevolumes',
    change('archivevolumes', () => ({ kind: 'points' }), { $inc: { removed: 1 } }),
    'has volumes with',
  ],
  ['a lost key', 'archivedkeys', () => rowsOf('archivedkeys').deleteOne({}), 'archived keys'],
  ...['entries', 'available', 'debt', 'burned', 'accrued', 'expired', 'keptBalance', 'keptAvail', 'seq'].map(
    (field): Corruption => [
      `an edited sum of ${field}`,
      'archiveopenings',
      change('archiveopenings', own, { $inc: { [`purses.0.${field}`]: 1 } }),
      '',
    ],
  ),
  ...['available', 'escrow', 'debt', 'points', 'balanceAfter', 'availAfter'].map(
    (field): Corruption => [
      `an opening entry with another ${field}`,
      'journal',
      change('journal', () => ({ ...own(), seq: opening }), { $inc: { [field]: 1 } }),
      'entry',
    ],
  ),
  ['a lost opening entry', 'journal', () => rowsOf('journal').deleteOne({ ...own(), seq: opening }), 'opening entries'],
  [
    'a lost entry before the opening',
    'journal',
    () => rowsOf('journal').deleteOne({ ...own(), seq: { $lt: opening } }),
    'are archived',
  ],
  [
    'a lost entry after the opening',
    'journal',
    () => rowsOf('journal').deleteOne({ ...own(), seq: { $gt: opening } }),
    'has no entry with seq',
  ],
  ...['balanceAfter', 'availAfter', 'points', 'available'].map(
    (field): Corruption => [
      `an entry before the opening with another ${field}`,
      'journal',
      change('journal', () => ({ ...own(), seq: { $lt: opening } }), { $inc: { [field]: 1 } }),
      'entry',
    ],
  ),
  [
    'an entry before the opening that is there twice',
    'journal',
    async () => {
      const entry = await rowsOf('journal').findOne({ ...own(), seq: { $lt: opening } });
      const free = await rowsOf('journal').findOne({ ...own(), seq: 1 });
      await rowsOf('journal').insertOne({ ...entry, _id: new ObjectId(), seq: free ? 2 : 1 });
    },
    'are archived',
  ],
  [
    'a lot that stayed and is lost',
    'accrualitems',
    () => rowsOf('accrualitems').deleteOne(own()),
    'which does not exist',
  ],
  [
    'a number of purchases without the archived ones',
    'members',
    change('members', () => ({ _id: member._id }), { $set: { processedAccruals: 1 } }),
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
