import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

let count = 0;
/** Creates an Enum value and returns its path and ETag. */
async function fresh(): Promise<{ path: string; tag: string }> {
  count += 1;
  const { body, headers } = await server.as('admin').post('/enums', { type: 'ChannelType', value: `Kiosk${count}` });
  return { path: `/enums/${body._id}`, tag: headers.get('etag') ?? '' };
}

test('a read of one record answers its ETag, and 304 to a client with that version', async () => {
  const { path, tag } = await fresh();
  const read = await server.as('admin').get(path);
  expect(read.headers.get('etag')).toBe(tag);
  const again = await server.as('admin').get(path, { headers: { 'if-none-match': tag } });
  expect([again.status, again.body]).toEqual([304, undefined]);
});

test('part of a record has no ETag', async () => {
  const { path } = await fresh();
  expect((await server.as('admin').get(`${path}?select=value`)).headers.has('etag')).toBe(false);
});

test('a change with If-Match is done once, and refused with 412 when the record has changed', async () => {
  const { path, tag } = await fresh();
  const headers = { 'if-match': tag };
  const first = await server.as('admin').patch(path, { label: 'A' }, { headers });
  expect(first.status).toBe(200);
  for (const answer of [
    await server.as('admin').patch(path, { label: 'B' }, { headers }),
    await server.as('admin').put(path, { label: 'B' }, { headers }),
    await server.as('admin').delete(path, { headers }),
  ]) {
    expect(answer).toBeRefused(412, 1280);
  }
  expect((await server.as('admin').get(path)).body.label).toBe('A');
  const current = { 'if-match': first.headers.get('etag') ?? '' };
  expect((await server.as('admin').delete(path, { headers: current })).status).toBe(204);
});

test('one of several changes at once with equal If-Match is done', async () => {
  const { path, tag } = await fresh();
  const changes = Array.from({ length: 8 }, (_, n) =>
    server.as('admin').patch(path, { label: `L${n}` }, { headers: { 'if-match': tag } }),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
});

test('If-Match: * and no If-Match change any version', async () => {
  const { path } = await fresh();
  expect((await server.as('admin').patch(path, { label: 'A' }, { headers: { 'if-match': '*' } })).status).toBe(200);
  expect((await server.as('admin').patch(path, { label: 'B' })).status).toBe(200);
});
