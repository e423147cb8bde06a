import { ObjectId } from 'bson';
import fc from 'fast-check';
import { newStamps } from '#base/db/records';
import { readFilter } from '#engine/filters/filterCriteria';
import { filterFields } from '#engine/filters/filterFields';
import { filterQuery } from '#engine/filters/filterQuery';
import { matchesFilter } from '#engine/filters/matchesFilter';
import { namedListFilter } from '#engine/filters/namedListFilter';
import { resolveNamedList } from '#programs/catalog/resolveNamedList';
import type { InclusionParams } from '#records/catalog/filterShape';
import { scaled } from '../../support/scale';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

const word = fc.constantFrom(
  'Tea',
  'tea',
  'TEAPOT',
  'Coffee',
  'a.c',
  'abc',
  'a$',
  'tea\n',
  'été',
  'ÉTÉ',
  'ſ',
  'S',
  '3',
  '',
);
const pattern = fc.constantFrom(
  '*',
  'te*',
  '*pot',
  't?a',
  '*E*',
  'a.c',
  'a?c',
  'a$',
  'tea',
  '?',
  '**',
  'ÉT?',
  's',
  '3',
);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const extValue = fc.oneof(
  fc.constantFrom<unknown>('3', 3, -0, 'true', true, null, 'tea', new Date('2026-01-31T00:00:00.000Z')),
  fc.array(fc.oneof(word, fc.integer({ min: 2, max: 3 })), { maxLength: 2 }),
  fc.constantFrom([[3]], { size: 3 }, [{ size: 'Tea' }, { size: [3] }]),
);

const product = fc.record({
  sku: word,
  category: maybe(word),
  price: maybe(fc.constantFrom(3, 3.5, 0)),
  tags: maybe(fc.array(word, { maxLength: 3 })),
  excludeFromEarning: fc.boolean(),
  ext: maybe(fc.record({ a: maybe(extValue) }).map(dropUndefined)),
});

const texts = (values: fc.Arbitrary<string>) => fc.array(values, { maxLength: 3 }).map((list) => list.join(' ,'));
const flags = { isIncluded: maybe(fc.boolean()) };
const searches: Record<string, fc.Arbitrary<InclusionParams[string]>> = {
  sku: param(texts(fc.oneof(word, pattern))),
  category: param(texts(fc.oneof(word, pattern))),
  tags: param(texts(fc.oneof(word, pattern))),
  price: param(texts(fc.constantFrom('3', '3.5', '0', '-0'))),
  excludeFromEarning: param(texts(fc.constantFrom('true', 'false'))),
  'ext.a': fc.oneof(
    param(
      texts(fc.oneof(word, fc.constantFrom('3', 'true', '0'))),
      maybe(fc.constantFrom('string', 'String', 'Array')),
    ),
    param(texts(fc.constantFrom('3', '0')), fc.constantFrom('number')),
    param(texts(fc.constantFrom('2026-01-31T00:00:00.000Z')), fc.constantFrom('date')),
  ),
  'ext.a.size': param(texts(fc.constantFrom('3', 'Tea'))),
};

function param(
  searchStr: fc.Arbitrary<string>,
  type: fc.Arbitrary<string | undefined> = fc.constant(undefined),
): fc.Arbitrary<InclusionParams[string]> {
  return fc.record({ searchStr, type, ...flags }).map(dropUndefined);
}

const params = fc
  .subarray(Object.keys(searches), { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, searches[name] ?? param(word)]))));

const filters = fc.record({
  ...flags,
  isDisabled: maybe(fc.constantFrom(false, false, true)),
  isORQuery: maybe(fc.boolean()),
  isWildCardSearch: maybe(fc.boolean()),
  inclusionParams: fc.oneof(
    params,
    params.map((each) => JSON.stringify(each)),
  ),
  list: fc.constantFrom<('static' | 'query' | undefined)[]>(undefined, 'static', 'query'),
});

function dropUndefined<T extends object>(value: T) {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

test('a filter selects in memory exactly what its query selects in MongoDB', async () => {
  const { db, resources, users, clock } = services;
  const products = db.collection('products');
  const agrees = fc.asyncProperty(
    fc.uniqueArray(product, { minLength: 1, maxLength: 8, selector: ({ sku }) => sku }),
    fc.array(filters, { minLength: 1, maxLength: 6 }),
    async (made, requested) => {
      const author = { ...users.admin.principal, org: new ObjectId() };
      const docs = made.map((each) => ({ ...newStamps(author, clock.now(), new ObjectId()), ...dropUndefined(each) }));
      await products.insertMany(docs);
      const stamps = newStamps(author, clock.now());
      const ids = docs.filter((_, index) => index % 2 === 0).map(({ _id }) => _id);
      const lists = {
        static: { ...stamps, name: 'list', kind: 'static', ids } as const,
        query: {
          ...stamps,
          name: 'list',
          kind: 'query',
          model: 'Product',
          query: { excludeFromEarning: true },
        } as const,
      };
      for (const { list: kind, ...fields } of requested) {
        const list = kind ? lists[kind] : undefined;
        const filter = dropUndefined({ ...fields, ...(list ? { inclusionparamsnamedList: stamps._id } : {}) });
        const { criteria, faults } = readFilter(filter, filterFields.Product);
        expect(faults).toEqual([]);
        const query = filterQuery(criteria, list && namedListFilter(list, resources));
        const found = await products
          .find({ $and: [{ org: author.org }, query] })
          .sort({ _id: 1 })
          .toArray();
        const namedLists = new Map(list ? [[stamps._id.toHexString(), await resolveNamedList(services, list)]] : []);
        const selected = docs.filter((doc) => matchesFilter('Product', filter, doc, { namedLists }));
        expect({ filter, ids: selected.map(({ _id }) => String(_id)) }).toEqual({
          filter,
          ids: found.map(({ _id }) => String(_id)),
        });
      }
    },
  );
  await fc.assert(agrees, { numRuns: scaled(200) });
});
