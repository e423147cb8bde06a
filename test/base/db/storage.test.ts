import { resources } from '#server/services/resources';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test.each(resources.map(({ path }) => path))('documents and indexes of %s are compressed on disk', async (path) => {
  const [stats] = await server.services.db
    .collection(path)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  const { wiredTiger, indexDetails, indexSizes } = stats?.storageStats ?? {};
  expect(wiredTiger.creationString).toContain('block_compressor=zstd');
  expect(Object.keys(indexDetails)).toEqual(Object.keys(indexSizes));
  for (const detail of Object.values(indexDetails)) {
    const { creationString } = detail as { creationString: string };
    expect(creationString).toContain('block_compressor=zstd');
    expect(creationString).toContain('leaf_page_max=32KB');
  }
});
