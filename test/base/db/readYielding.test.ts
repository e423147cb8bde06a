import type { Connection } from 'mongoose';
import { connect } from '#base/db/connect';
import { readYielding } from '#base/db/readYielding';
import { type TestStores, testStores } from '../../support/stores';

interface Stored {
  n: number;
  text: string;
}

let stores: TestStores;
let db: Connection;
beforeAll(async () => {
  stores = testStores();
  db = await connect(stores.mongodbUri, { maxPoolSize: 2 });
  await store('narrow', 250, 10);
  await store('wide', 250, 2000);
});
afterAll(async () => {
  await db.destroy();
  await stores.drop();
});

async function store(name: string, count: number, characters: number): Promise<void> {
  const records = Array.from({ length: count }, (_unused, n) => ({ n, text: 'x'.repeat(characters) }));
  await db.collection<Stored>(name).insertMany(records);
}

const find = (name: string, below = 250) =>
  db
    .collection<Stored>(name)
    .find({ n: { $lt: below } })
    .sort({ n: 1 });

const upTo = (count: number) => Array.from({ length: count }, (_unused, n) => n);

/** How many records each call takes from the reply. */
function takenBy(cursor: { readBufferedDocuments(count?: number): object[] }): number[] {
  const taken: number[] = [];
  const read = cursor.readBufferedDocuments.bind(cursor);
  cursor.readBufferedDocuments = (count) => {
    const records = read(count);
    taken.push(records.length);
    return records;
  };
  return taken;
}

test.each([
  ['no record', 'narrow', 0],
  ['one record', 'narrow', 1],
  ['one reply', 'narrow', 101],
  ['several replies', 'narrow', 250],
  ['several replies of wide records', 'wide', 250],
])('a read gives %s in order', async (_what, name, count) => {
  expect((await find(name, count).toArray()).map(({ n }) => n)).toEqual(upTo(count));
});

test.each(['narrow', 'wide'])('a read continues after it stopped at a count, with %s records', async (name) => {
  const cursor = find(name);
  const first = await readYielding<Stored>(cursor, 40);
  const second = await readYielding<Stored>(cursor, 100);
  const rest = await readYielding<Stored>(cursor);
  expect([first.length, second.length, rest.length]).toEqual([40, 100, 110]);
  expect([...first, ...second, ...rest].map(({ n }) => n)).toEqual(upTo(250));
});

test('a read converts a small reply at once, and a large one record by record', async () => {
  const narrow = find('narrow', 101);
  const ofNarrow = takenBy(narrow);
  await readYielding(narrow);
  const wide = find('wide', 101);
  const ofWide = takenBy(wide);
  await readYielding(wide);
  expect(ofNarrow).toEqual([100]);
  expect(ofWide).toEqual(Array.from({ length: 100 }, () => 1));
});
