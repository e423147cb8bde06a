import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
  const big = { note: 'x'.repeat(900_000) };
  const made = await server.as('admin').post('/products', { sku: 'BIG', name: 'Big', ext: big });
  expect(made.status).toBe(201);
  const many = { list: Array.from({ length: 20_000 }, () => 1) };
  expect((await server.as('admin').post('/products', { sku: 'MANY', name: 'Many' })).status).toBe(201);
  // Stored before free fields had a bound.
  await server.services.db.collection('products').updateOne({ sku: 'MANY' }, { $set: { ext: many } });
});
afterAll(() => server.close());

const lookup = (sku: string) => ({ lookup: { model: 'Product', keys: { sku }, select: ['ext'] } });
const lookups = (sku: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_unused, n) => [`k${n}`, lookup(sku)]));
const post = (sku: string, ext: unknown) =>
  server.as('admin').post('/products?preprocess=true', { sku, name: 'P', ext });
const isStored = async (sku: string) => (await server.as('admin').get(`/products/count?sku=${sku}`)).body.count === 1;

test('found values count towards the limit of the body: one of 0.9 MB fits, two and ten are 413 and store nothing', async () => {
  expect((await post('ONE', lookups('BIG', 1))).status).toBe(201);
  for (const count of [2, 10]) {
    expect(await post(`B${count}`, lookups('BIG', count))).toBeRefused(413, 1240);
    expect(await isStored(`B${count}`)).toBe(false);
  }
});

test('the sent body counts towards the limit too', async () => {
  expect(await post('BESIDE', { ...lookups('BIG', 1), own: 'y'.repeat(200_000) })).toBeRefused(413, 1240);
});

test('found values count towards the limit of values in a body', async () => {
  // A body may have so many values, its free fields may not.
  expect((await post('FEW', lookups('MANY', 1))).body.errors).toMatchObject([{ path: 'ext', kind: 'maxProperties' }]);
  expect(await post('TOO-MANY', lookups('MANY', 2))).toBeRefused(413, 1240);
  expect(await isStored('TOO-MANY')).toBe(false);
});

test('of a thousand malformed lookups, those that a body may have are named, and one more', async () => {
  const ext = { list: Array.from({ length: 10_000 }, () => ({ lookup: 1 })) };
  const { status, body } = await post('MALFORMED', ext);
  expect([status, body.errors.length]).toEqual([422, 11]);
  expect(body.errors.at(-1)).toMatchObject({ kind: 'maxItems', path: 'ext.list.10' });
});
