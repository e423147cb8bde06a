import { ObjectId } from 'bson';
import type { Client } from '../../support/client';
import { makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let manager: Client;
let program: string;
const products: Record<string, string> = {};

beforeAll(async () => {
  server = await openTestServer();
  const { db, users } = server.services;
  manager = server.as('program-manager');
  program = (await makeProgram(db, users.admin.principal))._id.toHexString();
  for (const fields of [
    { sku: 'TEA-1', category: 'Drinks', brand: 'Leaf', price: 3, tags: ['hot', 'new'] },
    { sku: 'TEA-2', category: 'Drinks', brand: 'leaf & co', price: 5, tags: ['hot'] },
    { sku: 'CUP-1', category: 'Dishes', price: 5, ext: { size: 3 } },
    { sku: 'BAG-1', category: 'Bags', excludeFromEarning: true, ext: { size: '3' } },
  ]) {
    products[fields.sku] = (await manager.post('/products', { name: fields.sku, ...fields })).body._id;
  }
  for (const number of ['S-1', 'S-2']) await manager.post('/locations', { number, name: number, tags: [number] });
});
afterAll(() => server.close());

let named = 0;
const offer = (fields: object) => {
  named += 1;
  return { code: `F${named}`, name: 'Offer', program, ...fields };
};

async function selected(productFilter: object): Promise<{ skus: string[]; count: number }> {
  const { body } = await manager.post('/rewards', offer({ productFilter }));
  const { query, count } = body.productFilter;
  const found = await manager.get(`/products?query=${encodeURIComponent(query)}&select=sku&sort=sku`);
  return { skus: found.body.map(({ sku }: { sku: string }) => sku), count };
}

test.each([
  ['nothing', {}, ['BAG-1', 'CUP-1', 'TEA-1', 'TEA-2']],
  ['a value', { inclusionParams: { category: { searchStr: 'Drinks' } } }, ['TEA-1', 'TEA-2']],
  ['several values', { inclusionParams: { category: { searchStr: 'Bags, Dishes,' } } }, ['BAG-1', 'CUP-1']],
  ['an element of a list', { inclusionParams: { tags: { searchStr: 'new' } } }, ['TEA-1']],
  ['JSON text', { inclusionParams: '{"tags":{"searchStr":"new"}}' }, ['TEA-1']],
  ['a number', { inclusionParams: { price: { searchStr: '5' } } }, ['CUP-1', 'TEA-2']],
  [
    'a value that is excluded',
    { inclusionParams: { tags: { searchStr: 'hot', isIncluded: false } } },
    ['BAG-1', 'CUP-1'],
  ],
  ['two criteria', { inclusionParams: { category: { searchStr: 'Drinks' }, price: { searchStr: '5' } } }, ['TEA-2']],
  [
    'one of two criteria',
    { isORQuery: true, inclusionParams: { category: { searchStr: 'Drinks' }, price: { searchStr: '5' } } },
    ['CUP-1', 'TEA-1', 'TEA-2'],
  ],
  [
    'what does not meet the criteria',
    { isIncluded: false, inclusionParams: { category: { searchStr: 'Drinks' } } },
    ['BAG-1', 'CUP-1'],
  ],
  ['wildcards', { isWildCardSearch: true, inclusionParams: { brand: { searchStr: 'LEAF*' } } }, ['TEA-1', 'TEA-2']],
  [
    'a wildcard for one',
    { isWildCardSearch: true, inclusionParams: { sku: { searchStr: '???-1' } } },
    ['BAG-1', 'CUP-1', 'TEA-1'],
  ],
  ['a star that is none', { inclusionParams: { brand: { searchStr: 'Leaf*' } } }, []],
  ['an extension field of any type', { inclusionParams: { 'ext.size': { searchStr: '3' } } }, ['BAG-1', 'CUP-1']],
  ['an extension field of a type', { inclusionParams: { 'ext.size': { searchStr: '3', type: 'Number' } } }, ['CUP-1']],
  [
    'criteria when disabled',
    { isDisabled: true, inclusionParams: { sku: { searchStr: 'x' } } },
    ['BAG-1', 'CUP-1', 'TEA-1', 'TEA-2'],
  ],
])('a filter for %s selects and counts', async (_, filter, skus) => {
  expect(await selected(filter)).toEqual({ skus, count: skus.length });
});

test('ids of sub-documents select, and the answer marks them', async () => {
  const productFilter = { inclusionParams: { _id: { ids: [products['CUP-1']] }, sku: { searchStr: 'CUP-1' } } };
  const { body } = await manager.post('/offers', offer({ productFilter }));
  expect(body.productFilter).toMatchObject({
    inclusionParams: {
      _id: { ids: [products['CUP-1']], isSubDoc: true },
      sku: { searchStr: 'CUP-1', isSubDoc: false },
    },
    count: 1,
  });
});

test('computed fields are current at each read', async () => {
  const locationFilter = { inclusionParams: { tags: { searchStr: 'late' } } };
  const { body } = await manager.post('/offers', offer({ locationFilter }));
  expect(body.locationFilter).toEqual({
    ...locationFilter,
    inclusionParams: { tags: { searchStr: 'late', isSubDoc: false } },
    query: '{"tags":{"$in":["late"]}}',
    count: 0,
  });
  await manager.post('/locations', { number: 'S-9', name: 'Late', tags: ['late'] });
  expect((await manager.get(`/offers/${body._id}`)).body.locationFilter.count).toBe(1);
  expect((await manager.get(`/offers?code=${body.code}`)).body[0].locationFilter.count).toBe(1);
  const part = await manager.get(`/offers/${body._id}?select=locationFilter.isIncluded`);
  expect(part.body).toEqual({ _id: body._id, locationFilter: {} });
});

describe('a named list in a filter', () => {
  test('is another criterion, by ids or by query', async () => {
    const byIds = await manager.post('/namedlists', {
      name: 'By ids',
      model: 'Product',
      ids: [products['TEA-1'], products['BAG-1']],
    });
    const byQuery = await manager.post('/namedlists', {
      name: 'By query',
      model: 'Product',
      kind: 'query',
      query: { price: { $gte: 5 } },
    });
    const inclusionParams = { category: { searchStr: 'Drinks' } };

    expect(await selected({ inclusionparamsnamedList: byIds.body._id })).toEqual({
      skus: ['BAG-1', 'TEA-1'],
      count: 2,
    });
    expect(await selected({ inclusionparamsnamedList: byIds.body._id, inclusionParams })).toEqual({
      skus: ['TEA-1'],
      count: 1,
    });
    expect(await selected({ inclusionparamsnamedList: byQuery.body._id, inclusionParams })).toEqual({
      skus: ['TEA-2'],
      count: 1,
    });
    expect(refusals(await manager.delete(`/namedlists/${byIds.body._id}`))).toContain('_id inUse');
  });

  test('is populated, and must exist and list what the filter selects', async () => {
    const stores = (await manager.post('/namedlists', { name: 'Stores', model: 'Location' })).body._id;
    const wrong = await manager.post('/offers', offer({ productFilter: { inclusionparamsnamedList: stores } }));
    expect(refusals(wrong)).toEqual(['productFilter.inclusionparamsnamedList reference']);
    const gone = await manager.post('/offers', offer({ locationFilter: { inclusionparamsnamedList: new ObjectId() } }));
    expect(refusals(gone)).toEqual(['locationFilter.inclusionparamsnamedList reference']);

    const { body } = await manager.post('/offers', offer({ locationFilter: { inclusionparamsnamedList: stores } }));
    const populated = await manager.get(`/offers/${body._id}?populate=locationFilter.inclusionparamsnamedList`);
    expect(populated.body.locationFilter).toMatchObject({ inclusionparamsnamedList: { name: 'Stores' }, count: 0 });
  });
});

test.each([
  [{ query: '{}' }, ['productFilter.query readOnly']],
  [{ count: 3 }, ['productFilter.count readOnly']],
  [{ inclusionParams: { sku: { isSubDoc: true } } }, ['productFilter.inclusionParams.sku.isSubDoc readOnly']],
  [{ colour: 'red' }, ['productFilter.colour additionalProperties']],
  [{ isORQuery: 'yes' }, ['productFilter.isORQuery type']],
  [
    { inclusionParams: { colour: { searchStr: 'red' } } },
    ['productFilter.inclusionParams.colour additionalProperties'],
  ],
  [{ inclusionParams: { sku: { search: 'x' } } }, ['productFilter.inclusionParams.sku.search additionalProperties']],
  [{ inclusionParams: '{"sku":{"search":"x"}}' }, ['productFilter.inclusionParams.sku.search additionalProperties']],
  [{ inclusionParams: '{"sku":' }, ['productFilter.inclusionParams type']],
  [{ inclusionParams: '[]' }, ['productFilter.inclusionParams type']],
  [{ inclusionParams: { price: { searchStr: 'cheap' } } }, ['productFilter.inclusionParams.price.searchStr type']],
  [{ inclusionParams: { sku: { type: 'Colour' } } }, ['productFilter.inclusionParams.sku.type pattern']],
  [{ inclusionParams: { sku: { ids: ['x'] } } }, ['productFilter.inclusionParams.sku.ids.0 pattern']],
  [
    { isWildCardSearch: true, inclusionParams: { sku: { searchStr: 'a*b*c*d*e*f' } } },
    ['productFilter.inclusionParams.sku.searchStr pattern'],
  ],
])('the filter %j is refused, at creation and later', async (productFilter, expected) => {
  const { body } = await manager.post('/offers', offer({}));
  expect(refusals(await manager.post('/offers', offer({ productFilter })))).toEqual(expected);
  expect(refusals(await manager.put(`/offers/${body._id}`, { productFilter }))).toEqual(expected);
});
