import { Decimal128, Double, ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { connect } from '#base/db/connect';
import { inSnapshot } from '#base/db/inSnapshot';
import { readReplies } from '#base/db/readReplies';
import { type TestStores, testStores } from '../../support/stores';

/** A collection without unique fields of its own. */
const path = 'refusedactivities';

let stores: TestStores;
let db: Connection;
let org: ObjectId;
beforeAll(async () => {
  stores = testStores();
  db = await connect(stores.mongodbUri, { maxPoolSize: 2 });
});
beforeEach(() => {
  org = new ObjectId();
});
afterAll(async () => {
  await db.destroy();
  await stores.drop();
});

const store = (values: readonly unknown[]) => db.collection(path).insertMany(values.map((n) => ({ org, n })));

const find = () => ({ filter: { org }, projection: { n: 1 }, sort: { _id: 1 } }) as const;

const readAll = async () => {
  const rows = await inSnapshot(db, (at) => readReplies<{ n: unknown }>(db, at, path, find()));
  return rows.map(({ n }) => n);
};

test.each([0, 1, 3999, 4000, 4001, 9000])('replies of %i records give all of them in order', async (count) => {
  const values = Array.from({ length: count }, (_unused, n) => n);
  if (count > 0) await store(values);
  expect(await readAll()).toEqual(values);
});

test('records that are larger together than a reply may be are all given', async () => {
  const values = Array.from({ length: 40 }, (_unused, n) => `${n}${'x'.repeat(1_000_000)}`);
  await store(values);
  expect(await readAll()).toEqual(values);
});

test('values of rare types are given as the driver gives them', async () => {
  await store([1, Decimal128.fromString('1.5'), new Double(2), null]);
  expect((await readAll()).map(String)).toEqual(['1', '1.5', '2', 'null']);
});

test('replies show one instant, also when they are read one after the other', async () => {
  await store([1, 2]);
  const seen = await inSnapshot(db, async (at) => {
    const before = await readReplies(db, at, path, find());
    await store([3]);
    return [before.length, (await readReplies(db, at, path, find())).length];
  });
  expect(seen).toEqual([2, 2]);
  expect(await readAll()).toHaveLength(3);
});
