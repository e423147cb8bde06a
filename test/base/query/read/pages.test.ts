import { ObjectId } from 'bson';
import fc from 'fast-check';
import { nextPage } from '#base/query/page';
import { parseQuery } from '#base/query/parseQuery';
import { distinct } from '#base/query/read/distinct';
import { readList, readPage } from '#base/query/read/read';
import type { Reader } from '#base/query/reader';
import { readsDuring } from '../../../support/profile';
import { longer, scaled, seedsOf } from '../../../support/scale';
import { thingFields, thingResource } from '../thing';
import { type StoredThings, storedThings } from './stored';

let things: StoredThings;
let reader: Reader;
beforeAll(async () => {
  things = await storedThings();
  reader = things.reader('boxes:read');
});
afterAll(() => things.close());

const add = async (docs: Record<string, unknown>[], org = reader.org) => {
  const made = docs.map((doc) => ({ _id: new ObjectId(), org, ...doc }));
  await things.db.collection('things').insertMany(made);
  return made.map(({ _id }) => String(_id));
};

type Args = Record<string, string>;

/** Follows the links of pages from the first to the last, with this greatest `skip`. */
async function follow(args: Args, skipMax: number, who = reader): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  for (let next: Args | undefined = args; next; ) {
    const request = parseQuery(next, thingFields, { skipMax });
    const { found, last } = await readPage(who, thingResource, request);
    pages.push(found);
    expect(pages.length).toBeLessThan(100);
    const link = nextPage(next, { ...request, skipMax }, { found: found.length, last });
    next = link === undefined ? undefined : Object.fromEntries(new URLSearchParams(link));
  }
  return pages;
}

const id = new ObjectId();
/** Values of a field without a type, as different as they can be. */
const anything = [
  undefined,
  null,
  0,
  1.5,
  'a',
  'b',
  '',
  true,
  new Date(0),
  id,
  [],
  [2, 1],
  [null],
  { a: 1 },
  [{ a: 1 }],
];

const doc = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c'),
    size: fc.constantFrom(1, 2, 3),
    isFresh: fc.boolean(),
    madeAt: fc.constantFrom(new Date(0), new Date(1)),
    tags: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    parts: fc.array(fc.record({ name: fc.constantFrom('p', 'q'), count: fc.nat(2) }, { requiredKeys: [] }), {
      maxLength: 2,
    }),
    ext: fc.record({ a: fc.constantFrom(...anything), b: fc.constantFrom(...anything) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const fields = ['name', 'size', 'isFresh', 'madeAt', 'tags', 'parts.name', 'parts.0.count', 'ext.a', 'ext.b', '_id'];
const sort = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...fields), fc.constantFrom('', '-')), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  })
  .map((keys) => keys.map(([name, sign]) => `${sign}${name}`).join());

it.each(seedsOf(20_260_504))(
  'links lead to every record once, in any order, past the greatest skip (seed %d)',
  async (seed) => {
    let tried = 0;
    const leads = fc.asyncProperty(
      ...([fc.array(doc, { minLength: 1, maxLength: 12 }), sort, fc.integer({ min: 1, max: 4 }), fc.nat(6)] as const),
      async (docs, order, limit, skipMax) => {
        const own = things.reader();
        await add(docs, own.org);
        let meant: unknown[];
        try {
          meant = (await readList(own, thingResource, parseQuery({ sort: order }, thingFields))).map(({ _id }) => _id);
        } catch {
          return; // Two lists at once, which only the stored values show.
        }
        tried += 1;
        const pages = await follow({ sort: order, limit: String(limit), select: 'name' }, skipMax, own);
        expect(pages.flat().map(({ _id }) => String(_id))).toEqual(meant.map(String));
        expect(pages.flat().every((each) => Object.keys(each).every((name) => ['_id', 'name'].includes(name)))).toBe(
          true,
        );
      },
    );
    await fc.assert(leads, { seed, numRuns: scaled(40), interruptAfterTimeLimit: 8000 * longer });
    expect(tried).toBeGreaterThan(scaled(10));
  },
);

it.each<[string, Args, string[]]>([
  ['whole records', {}, ['_id', 'name', 'org', 'size']],
  ['selected fields', { select: 'name' }, ['_id', 'name']],
  ['selected fields without the id', { select: 'size,-_id' }, ['size']],
  ['all fields but some', { select: '-size,-org' }, ['_id', 'name']],
  ['all fields but the id', { select: '-_id' }, ['name', 'org', 'size']],
  ['only the id', { select: '_id' }, ['_id']],
])('pages past the greatest skip have %s', async (_what, args, names) => {
  const own = things.reader();
  await add(
    [3, 1, 2, 5, 4].map((size) => ({ name: 'n', size, secret: 's' })),
    own.org,
  );
  const pages = await follow({ ...args, sort: 'size', limit: '2' }, 1, own);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages.flat().map((each) => Object.keys(each).sort())).toEqual(Array(5).fill(names));
});

it('a page continues after the last values when records are added and deleted in between', async () => {
  const own = things.reader();
  const ids = await add(
    [1, 2, 3, 4].map((size) => ({ size })),
    own.org,
  );
  const next = await secondPage(own, { sort: 'size', limit: '2' }, 0);
  await things.db.collection('things').deleteOne({ _id: new ObjectId(ids[1]) });
  await add([{ size: 0 }, { size: 2.5 }], own.org);
  const found = await readList(own, thingResource, { ...next, limit: 9 });
  expect(found.map(({ size }) => size)).toEqual([2.5, 3, 4]);
});

/** The request of the link of a first page with this `skip`, which is the greatest allowed. */
async function secondPage(who: Reader, args: Args, skipMax: number) {
  const request = parseQuery({ ...args, skip: String(skipMax) }, thingFields, { skipMax });
  const { found, last } = await readPage(who, thingResource, request);
  const link = nextPage(args, { ...request, skipMax }, { found: found.length, last });
  return parseQuery(Object.fromEntries(new URLSearchParams(link)), thingFields, { skipMax });
}

it('pages populate and filter, and read no other org', async () => {
  const own = things.reader('boxes:read');
  const box = new ObjectId();
  await things.db.collection('boxes').insertOne({ _id: box, org: own.org, name: 'a box' });
  await add(
    Array.from({ length: 5 }, (_unused, size) => ({ size, box })),
    own.org,
  );
  await add(
    Array.from({ length: 5 }, (_unused, size) => ({ size })),
    new ObjectId(),
  );
  const pages = await follow({ size: '>0', populate: 'box', select: 'size', limit: '2' }, 1, own);
  expect(pages.flat().map(({ size }) => size)).toEqual([1, 2, 3, 4]);
  expect(pages.flat()).toMatchObject(Array(4).fill({ box: { name: 'a box' } }));
});

it.each(['_id', '-_id'])('a read of a page looks only at its records with sort=%s', async (sort) => {
  const own = things.reader();
  const other = new ObjectId();
  // Records of both orgs come in turns.
  await add(Array.from({ length: 300 }, (_unused, n) => ({ org: n % 5 === 0 ? own.org : other, size: n })));
  const next = await secondPage(own, { sort, limit: '10' }, 20);
  const reads = await readsDuring(things.db, () => readPage(own, thingResource, next));
  expect(reads).toMatchObject([{ returned: 10, plan: 'IXSCAN { org: 1, _id: 1 }' }]);
  expect(reads[0]?.documents).toBeLessThanOrEqual(11);
});

it('distinct values continue past the greatest skip', async () => {
  const own = things.reader();
  await add(
    [3, 1, 2, 2, 5, 4].map((size) => ({ size })),
    own.org,
  );
  const seen: unknown[] = [];
  for (let next: Args | undefined = { distinct: 'size', sort: '-size', limit: '2' }; next; ) {
    const request = parseQuery(next, thingFields, { skipMax: 1 });
    const values = await distinct(own, thingResource, request);
    seen.push(...values);
    const link = nextPage(next, { ...request, skipMax: 1 }, { found: values.length });
    next = link === undefined ? undefined : Object.fromEntries(new URLSearchParams(link));
  }
  expect(seen).toEqual([5, 4, 3, 2, 1]);
});
