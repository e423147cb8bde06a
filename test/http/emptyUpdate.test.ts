import { openTestServer } from '../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test.each(['put', 'patch'] as const)('%s of nothing answers the record unchanged', async (method) => {
  const manager = server.as('program-manager');
  const { body } = await manager.post('/products', { sku: method, name: 'Tea', brand: 'Leaf' });
  server.services.clock.advance(1000);

  expect(await manager[method](`/products/${body._id}`, {})).toMatchObject({ status: 200, body });
  const headers = { 'if-match': '"t0"' };
  expect((await manager[method](`/products/${body._id}`, {}, { headers })).status).toBe(412);
  const cleared = await manager[method](`/products/${body._id}`, { brand: null });
  expect(cleared).toMatchObject({ status: 422, body: { errors: [{ path: 'brand', kind: 'type' }] } });
});
