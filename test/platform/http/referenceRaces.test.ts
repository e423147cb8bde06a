import { openTestServer, type TestServer } from '../../support/server';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('either a deletion or a concurrent creation that refers to the definition is refused', async () => {
  const admin = server.as('admin');
  const outcomes: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    const { body: program } = await admin.post('/programs', { code: `race-${n}`, name: 'Race' });
    const policy = { name: 'Points', program: program._id };
    const [made, removed] = await Promise.all([
      admin.post('/pursepolicies', policy),
      admin.delete(`/programs/${program._id}`),
    ]);
    outcomes.push(`${made.status} ${removed.status}`);
  }
  expect(outcomes.filter((outcome) => outcome !== '201 422' && outcome !== '422 204')).toEqual([]);
});

test('either a deletion or a concurrent change that refers to the definition is refused', async () => {
  const admin = server.as('admin');
  const { body: program } = await admin.post('/programs', { code: 'listed', name: 'Listed' });
  const { body: offer } = await admin.post('/offers', { code: 'O', name: 'Offer', program: program._id });
  const outcomes: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    const { body: list } = await admin.post('/namedlists', { name: `List ${n}`, model: 'Product', ids: [] });
    const [changed, removed] = await Promise.all([
      admin.put(`/offers/${offer._id}`, { productFilter: { inclusionparamsnamedList: list._id } }),
      admin.delete(`/namedlists/${list._id}`),
    ]);
    outcomes.push(`${changed.status} ${removed.status}`);
  }
  expect(outcomes.filter((outcome) => outcome !== '200 422' && outcome !== '422 204')).toEqual([]);
});
