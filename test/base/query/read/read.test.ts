import { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { parseQuery } from '#base/query/parseQuery';
import { distinct } from '#base/query/read/distinct';
import { runHeavy } from '#base/query/read/heavyReads';
import { readCount, readList, readOne } from '#base/query/read/read';
import type { Reader } from '#base/query/reader';
import { thingFields, thingResource } from '../thing';
import { type StoredThings, storedThings } from './stored';

let things: StoredThings;
let reader: Reader;

beforeAll(async () => {
  things = await storedThings();
});
beforeEach(() => {
  reader = things.reader('boxes:read');
});
afterAll(() => things.close());

const add = async (docs: Record<string, unknown>[], org = reader.org, collection = 'things') => {
  const made = docs.map((doc) => ({ _id: new ObjectId(), org, ...doc }));
  await things.db.collection(collection).insertMany(made);
  return made;
};
const ask = (args: Record<string, string>) => parseQuery(args, thingFields);
const listed = (args: Record<string, string>) => readList(reader, thingResource, ask(args));
const names = async (args: Record<string, string>) => (await listed(args)).map(({ name }) => name);
const failure = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error('did not fail as it should');
};

describe('a list', () => {
  it('has the records of the org in order of creation', async () => {
    await add([{ name: 'a' }, { name: 'b' }]);
    await add([{ name: 'foreign' }], new ObjectId());
    expect(await names({})).toEqual(['a', 'b']);
  });

  it('reaches no other org, whatever the query says', async () => {
    const other = new ObjectId();
    await add([{ name: 'mine' }]);
    const [foreign] = await add([{ name: 'foreign' }], other);
    const id = String(foreign?._id);
    expect(await names({ org: String(other) })).toEqual([]);
    expect(await names({ _id: id })).toEqual([]);
    expect(await names({ query: JSON.stringify({ $or: [{ org: String(other) }, { _id: id }] }) })).toEqual([]);
    expect(await names({ query: JSON.stringify({ $nor: [{ name: 'mine' }] }) })).toEqual([]);
    expect(await distinct(reader, thingResource, ask({ distinct: 'name' }))).toEqual(['mine']);
    expect(await readCount(reader, thingResource, ask({ name: 'foreign' }))).toBe(0);
  });

  it('is sorted, and by creation where the keys are equal', async () => {
    await add([
      { name: 'a', size: 1 },
      { name: 'b', size: 2 },
      { name: 'c', size: 1 },
    ]);
    expect(await names({ sort: '-size' })).toEqual(['b', 'a', 'c']);
    expect(await names({ sort: '{"size":1,"name":-1}' })).toEqual(['c', 'a', 'b']);
  });

  it('is cut by skip and limit', async () => {
    await add(['a', 'b', 'c', 'd'].map((name) => ({ name })));
    expect(await names({ skip: '1', limit: '2' })).toEqual(['b', 'c']);
  });

  it('has at most a hundred records unless asked for more', async () => {
    await add(Array.from({ length: 250 }, (_, size) => ({ size })));
    expect(await listed({})).toHaveLength(100);
    expect(await listed({ limit: '1000' })).toHaveLength(250);
  });

  it.each<[string, string[]]>([
    ['name', ['_id', 'name']],
    ['name,-_id', ['name']],
    ['-_id', ['org', 'name', 'size']],
    ['-name', ['_id', 'org', 'size']],
    ['{"name":0,"_id":1}', ['_id', 'org', 'size']],
    ['_id', ['_id']],
  ])('selects %s, and never what is hidden', async (select, fields) => {
    await add([{ name: 'a', size: 1, secret: 'hash' }]);
    const [found] = await listed({ select });
    expect(Object.keys(found ?? {})).toEqual(fields);
  });

  it('answers no hidden field', async () => {
    await add([{ name: 'a', secret: 'hash' }]);
    expect(JSON.stringify(await listed({}))).not.toContain('hash');
  });

  it('answers dates as ISO texts and ids as hexadecimal', async () => {
    const [made] = await add([{ madeAt: new Date('2026-01-31T00:00:00.000Z') }]);
    const [found] = JSON.parse(JSON.stringify(await listed({})));
    expect(found).toMatchObject({ _id: made?._id.toHexString(), madeAt: '2026-01-31T00:00:00.000Z' });
  });

  it('refuses an order by two lists that only the stored values show', async () => {
    await add([{ ext: { a: [1, 2], b: [1, 2] } }]);
    expect(await failure(listed({ sort: 'ext.a,ext.b' }))).toMatchObject({ code: 1210, status: 400 });
  });
});

describe('a field without a type', () => {
  const date = '2026-01-31T13:45:00.000Z';
  const later = '2026-02-01T00:00:00.000Z';
  const id = '65f0c0ffee65f0c0ffee65f0';
  const names = async (any: unknown) => {
    const found = await listed({ query: JSON.stringify({ any }), sort: 'name' });
    return found.map(({ name }) => name).join('');
  };
  beforeEach(() =>
    add([
      { name: 'a', any: date },
      { name: 'b', any: new Date(date) },
      { name: 'c', any: id },
      { name: 'd', any: new ObjectId(id) },
      { name: 'e', any: [new Date(date), 7, id] },
      { name: 'f', any: [date, new ObjectId(id)] },
      { name: 'g', any: 7 },
      { name: 'h' },
    ]),
  );

  it.each<[unknown, string]>([
    [date, 'abef'],
    [id, 'cdef'],
    [{ $ne: date }, 'cdgh'],
    [{ $nin: [date, 7] }, 'cdh'],
    [{ $in: [id, 7] }, 'cdefg'],
    [{ $all: [date, id] }, 'ef'],
    [{ $all: [date, id], $size: 3 }, 'e'],
    [{ $gte: date, $lt: later }, 'abef'],
    [{ $gt: date }, 'ce'],
    [{ $not: { $gte: date, $lt: later } }, 'cdgh'],
    [{ $exists: true, $ne: date, $not: { $in: [id] } }, 'g'],
    [{ $elemMatch: { $gte: date, $lt: later } }, 'ef'],
    [{ $elemMatch: { $gt: '2026-01-31T13:44:59.999Z', $lt: date } }, ''],
    [{ $elemMatch: { $not: { $gte: date }, $type: ['objectId', 'date'] } }, 'f'],
    [{ $elemMatch: { $nin: [date, id] } }, 'e'],
    [{ $elemMatch: { $regex: '^2026', $eq: date } }, 'f'],
    [{ $elemMatch: { $eq: id, $type: 'objectId' } }, 'f'],
  ])('is compared with the texts, dates and ids of one notation: %j', async (condition, expected) => {
    expect(await names(condition)).toBe(expected);
  });

  it('is compared alike by field=value', async () => {
    const found = async (any: string) => (await listed({ any, sort: 'name' })).map(({ name }) => name).join('');
    expect([await found(date), await found(`!=${id}`), await found(`>=${later}`)]).toEqual(['abef', 'abgh', 'ce']);
  });
});

test('a position in a list selects, and orders by, one element', async () => {
  await add([
    {
      name: 'a',
      parts: [
        { name: 'x', count: 2 },
        { name: 'y', count: 1 },
      ],
    },
    {
      name: 'b',
      parts: [
        { name: 'y', count: 1 },
        { name: 'x', count: 9 },
      ],
    },
    { name: 'c', parts: [] },
  ]);
  expect(await names({ 'parts.0.name': 'x' })).toEqual(['a']);
  expect(await names({ query: '{"parts.1.count":{"$ne":9}}' })).toEqual(['a', 'c']);
  expect(await names({ sort: '-parts.0.count' })).toEqual(['a', 'b', 'c']);
  expect(await names({ sort: 'parts.1.name,name' })).toEqual(['c', 'b', 'a']);
});

describe('populate', () => {
  it('puts the record in the place of its id, without what is hidden', async () => {
    const [box] = await add([{ name: 'crate', secret: 'hash', ext: { a: 1 } }], reader.org, 'boxes');
    await add([{ box: box?._id, parts: [{ box: box?._id }, { name: 'loose' }] }]);
    const [found] = await listed({ populate: 'box,parts.box' });
    const whole = { _id: box?._id, org: reader.org, name: 'crate', ext: { a: 1 } };
    expect(found).toMatchObject({ box: whole, parts: [{ box: whole }, { name: 'loose' }] });
    expect(JSON.stringify(found)).not.toContain('hash');
  });

  it('leaves an id as it is when the org has no such record', async () => {
    const [foreign] = await add([{ name: 'crate' }], new ObjectId(), 'boxes');
    const gone = new ObjectId();
    await add([{ box: foreign?._id, parts: [{ box: gone }] }, { name: 'without' }]);
    const found = JSON.parse(JSON.stringify(await listed({ populate: 'box,parts.box', select: '-_id,-org' })));
    expect(found).toEqual([{ box: String(foreign?._id), parts: [{ box: String(gone) }] }, { name: 'without' }]);
  });

  it('answers the reference also when only other fields are selected', async () => {
    const [box] = await add([{ name: 'crate' }], reader.org, 'boxes');
    await add([{ name: 'a', box: box?._id }]);
    expect(await listed({ select: 'name,-_id', populate: 'box' })).toMatchObject([
      { name: 'a', box: { name: 'crate' } },
    ]);
  });

  it('needs permission to read what is referred to', async () => {
    reader = things.reader();
    expect(await failure(listed({ populate: 'box' }))).toMatchObject({ code: 1130, status: 403 });
  });

  it('follows no reference to a collection that is no resource', async () => {
    expect(await failure(listed({ populate: 'lost' }))).toMatchObject({ code: 1210, status: 400 });
  });
});

describe('one record', () => {
  it('is answered with selected fields, and only to its org', async () => {
    const [made] = await add([{ name: 'a', size: 1, secret: 'hash' }]);
    const id = made?._id ?? new ObjectId();
    expect(await readOne(reader, thingResource, id, ask({ select: 'name,-_id' }))).toEqual({ name: 'a' });
    expect(await readOne(reader, thingResource, id, ask({}))).toEqual({ _id: id, org: reader.org, name: 'a', size: 1 });
    expect(await readOne(things.reader(), thingResource, id, ask({}))).toBeUndefined();
  });
});

describe('a count', () => {
  it('counts what the filter selects, whatever page is asked for', async () => {
    await add([{ size: 1 }, { size: 2 }, { size: 3 }]);
    expect(await readCount(reader, thingResource, ask({ size: '>1', limit: '1', skip: '1' }))).toBe(2);
  });
});

describe('distinct', () => {
  const values = (args: Record<string, string>) => distinct(reader, thingResource, ask(args));

  it('answers each value of a field once in ascending order, null included', async () => {
    await add([{ name: 'b' }, { name: 'a' }, { name: 'b' }, { size: 1 }, { name: null }]);
    expect(await values({ distinct: 'name' })).toEqual(['a', 'b']);
    expect(await values({ distinct: 'name', sort: '-name' })).toEqual(['b', 'a']);
    expect(await values({ distinct: 'name', name: 'a' })).toEqual(['a']);
    expect(await values({ distinct: 'name', skip: '1', limit: '1' })).toEqual(['b']);
  });

  it('answers the elements of lists', async () => {
    await add([
      { tags: ['x', 'y'] },
      { tags: ['y', 'z'] },
      { tags: [] },
      { parts: [{ codes: ['p', 'q'] }, { codes: ['q'] }] },
    ]);
    expect(await values({ distinct: 'tags' })).toEqual(['x', 'y', 'z']);
    expect(await values({ distinct: 'parts.codes' })).toEqual(['p', 'q']);
  });

  it('answers the values of extension fields, of lists the elements', async () => {
    await add([{ ext: { a: 1 } }, { ext: { a: 'x' } }, { ext: { a: [2, 1] } }]);
    expect(await values({ distinct: 'ext.a' })).toEqual([1, 2, 'x']);
  });

  it('answers values below lists within extension fields', async () => {
    await add([{ ext: { a: [{ b: 1 }, { b: [2, 3] }] } }, { ext: { a: { b: 3 } } }, { ext: { a: 'x' } }]);
    expect(await values({ distinct: 'ext.a.b' })).toEqual([1, 2, 3]);
  });

  it('answers the combinations of several fields, keeping the values of one element together', async () => {
    await add([
      {
        name: 'a',
        parts: [
          { name: 'p', count: 1 },
          { name: 'q', count: 2 },
        ],
      },
      { name: 'a', parts: [{ name: 'p', count: 1 }] },
      { name: 'b' },
    ]);
    expect(await values({ distinct: 'parts.name,parts.count' })).toEqual([
      {},
      { 'parts.name': 'p', 'parts.count': 1 },
      { 'parts.name': 'q', 'parts.count': 2 },
    ]);
    expect(await values({ distinct: 'name,parts.name' })).toEqual([
      { name: 'a', 'parts.name': 'p' },
      { name: 'a', 'parts.name': 'q' },
      { name: 'b' },
    ]);
  });

  it('answers at most a thousand values', async () => {
    await add(Array.from({ length: 1010 }, (_, size) => ({ size })));
    expect(await values({ distinct: 'size' })).toHaveLength(1000);
  });

  it('is sorted by its own fields only', async () => {
    expect(await failure(values({ distinct: 'name', sort: 'size' }))).toMatchObject({ code: 1210 });
  });
});

describe('heavy reads', () => {
  it('run four at once for a user, and a fifth is refused for now', async () => {
    const ends: (() => void)[] = [];
    const current = Array.from({ length: 4 }, () => runHeavy('user', () => new Promise<void>((end) => ends.push(end))));
    expect(await failure(runHeavy('user', async () => 1))).toMatchObject({
      code: 1260,
      status: 429,
      details: { headers: { 'Retry-After': '1' } },
    });
    expect(await runHeavy('another', async () => 1)).toBe(1);
    ends[0]?.();
    await current[0];
    expect(await runHeavy('user', async () => 2)).toBe(2);
    for (const end of ends) end();
    await Promise.all(current);
  });

  it('give their place back when they fail', async () => {
    const fails = () => runHeavy('clumsy', () => Promise.reject(new Error('broken')));
    for (let time = 0; time < 5; time += 1) await expect(fails()).rejects.toThrow('broken');
  });
});
