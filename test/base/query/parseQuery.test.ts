import { ObjectId } from 'bson';
import { nextPage } from '#base/query/page';
import { parseQuery } from '#base/query/parseQuery';
import { singleArguments } from '#base/query/singleArguments';
import { refusal } from './refusal';
import { thingFields } from './thing';

const hex = '0123456789abcdef01234567';
const parse = (args: Record<string, string>) => parseQuery(args, thingFields);
const paths = (fields: readonly { path: string }[] | undefined) => fields?.map(({ path }) => path);

describe('a read without arguments', () => {
  it('asks for the first hundred records in order of creation', () => {
    expect(parse({})).toEqual({ filter: {}, sort: { _id: 1 }, skip: 0, limit: 100, populate: [], hasRegex: false });
  });
});

describe('field=value', () => {
  it.each<[string, string, unknown]>([
    ['name', 'a', { name: { $eq: 'a' } }],
    ['name', '', { name: { $eq: '' } }],
    ['name', 'null', { name: { $eq: 'null' } }],
    ['name', '~^a', { name: { $regex: '^a', $options: 'i' } }],
    ['tags', '~a', { tags: { $regex: 'a', $options: 'i' } }],
    ['name', '!=a', { name: { $ne: 'a' } }],
    ['name', '!a', { name: { $eq: '!a' } }],
    ['name', '=a', { name: { $eq: '=a' } }],
    ['name', '>>a', { name: { $gt: '>a' } }],
    ['size', '12', { size: { $eq: 12 } }],
    ['size', '>12', { size: { $gt: 12 } }],
    ['size', '>=12', { size: { $gte: 12 } }],
    ['size', '<12', { size: { $lt: 12 } }],
    ['size', '<=12', { size: { $lte: 12 } }],
    ['size', '!=12', { size: { $ne: 12 } }],
    ['isFresh', '!=true', { isFresh: { $ne: true } }],
    ['box', hex, { box: { $eq: new ObjectId(hex) } }],
    ['_id', `>${hex}`, { _id: { $gt: new ObjectId(hex) } }],
    ['madeAt', '>=2026-01-31T00:00:00.000+01:00', { madeAt: { $gte: new Date('2026-01-30T23:00:00.000Z') } }],
    ['address.at.x', '<-1.5', { 'address.at.x': { $lt: -1.5 } }],
    ['parts.count', '>1', { 'parts.count': { $gt: 1 } }],
    ['ext.colour', '~red', { 'ext.colour': { $regex: 'red', $options: 'i' } }],
    ['ext.colour', '>red', { 'ext.colour': { $gt: 'red' } }],
    ['ext.age', '12', { 'ext.age': { $in: ['12', 12] } }],
    ['ext.age', '!=12', { 'ext.age': { $nin: ['12', 12] } }],
    ['ext.age', '>12', { $or: [{ 'ext.age': { $gt: '12' } }, { 'ext.age': { $gt: 12 } }] }],
    ['ext.age', '~12', { 'ext.age': { $regex: '12', $options: 'i' } }],
    ['ext.isOld', 'true', { 'ext.isOld': { $in: ['true', true] } }],
    ['ext.isOld', '>true', { 'ext.isOld': { $gt: 'true' } }],
    ['ext.box', hex, { 'ext.box': { $in: [hex, new ObjectId(hex)] } }],
    ['tags.0', '~a', { 'tags.0': { $regex: 'a', $options: 'i' } }],
  ])('%s=%s', (name, value, filter) => {
    expect(parse({ [name]: value }).filter).toEqual(filter);
  });

  it('joins all fields and query with and', () => {
    const filter = { $and: [{ size: { $gt: 1 } }, { name: { $eq: 'a' } }, { size: { $lt: 9 } }] };
    expect(parse({ query: '{"size":{"$gt":1}}', name: 'a', size: '<9' }).filter).toEqual(filter);
  });

  it.each<[Record<string, string>, string]>([
    [{ unknown: '1' }, '"unknown" is not a field of this resource'],
    [{ secret: '~^a' }, '"secret" is not a field of this resource'],
    [{ $where: '1' }, '"$where" is not a field of this resource'],
    [{ size: '>' }, 'size.$gt must be a number'],
    [{ size: 'abc' }, 'size.$eq must be a number'],
    [{ size: '~1' }, 'size.$regex is for texts'],
    [{ size: '{"$gt":1}' }, 'size.$eq must be a number'],
    [{ name: '~(a+)+' }, 'name.$regex: (a+)+ repeats a group'],
    [{ name: '~(' }, 'name.$regex is no regular expression: Unterminated group'],
    [{ name: '~a', tags: '~b', query: '{"name":{"$regex":"c"}}' }, 'has more than 2 regular expressions'],
    [{ madeAt: '>2026-01-31T00:00:00.000 01:00' }, 'in a URL write + as %2B'],
    [{ address: 'x' }, 'address.$eq must be null, or name one of its fields'],
  ])('is refused: %j', (args, message) => {
    expect(refusal(() => parse(args))).toContain(message);
  });

  it('is heavy when it has a regular expression', () => {
    expect(parse({ name: '~a' }).hasRegex).toBe(true);
    expect(parse({ name: 'a' }).hasRegex).toBe(false);
  });
});

describe('select', () => {
  it.each<[string, unknown]>([
    ['name', { name: 1 }],
    ['name,size', { name: 1, size: 1 }],
    ['name size', { name: 1, size: 1 }],
    [' name, parts.count ', { name: 1, 'parts.count': 1 }],
    ['-name', { name: 0 }],
    ['-name,-size', { name: 0, size: 0 }],
    ['name,-_id', { name: 1, _id: 0 }],
    ['-_id', { _id: 0 }],
    ['_id', { _id: 1 }],
    ['{"name":1}', { name: 1 }],
    ['{"name":0}', { name: 0 }],
    ['{"name":1,"_id":0}', { name: 1, _id: 0 }],
    ['{"name":0,"_id":1}', { name: 0 }],
    ['ext.a', { 'ext.a': 1 }],
  ])('%s', (select, projection) => {
    expect(parse({ select }).select).toEqual(projection);
  });

  it.each([
    ['', 'select must name at least one field'],
    [',', 'select must name at least one field'],
    ['{}', 'select must name at least one field'],
    ['{', 'select is not valid JSON'],
    ['secret', '"secret" is not a field'],
    ['-secret', '"secret" is not a field'],
    ['name,unknown', '"unknown" is not a field'],
    ['--name', '"-name" is not a field'],
    ['parts.$', '"parts.$" is not a field'],
    ['parts.0.name', 'select cannot name "parts.0.name": leave out the position'],
    ['-tags.1', 'select cannot name "tags.1"'],
    ['name,-size', 'must not mix'],
    ['{"name":1,"size":0}', 'must not mix'],
    ['{"name":true}', '"name" must be 0 or 1'],
    ['{"name":-1}', '"name" must be 0 or 1'],
    ['{"parts":{"$slice":1}}', '"parts" must be 0 or 1'],
    ['{"name":"$secret"}', '"name" must be 0 or 1'],
    ['{"name":{"$literal":1}}', '"name" must be 0 or 1'],
    ['name,name', 'names "name" twice'],
    ['parts,parts.name', 'names "parts.name" and "parts", which holds it'],
    ['ext.a.b.c,ext.a', 'names "ext.a.b.c" and "ext.a"'],
    [Array.from({ length: 101 }, (_, i) => `ext.f${i}`).join(','), 'more than 100 fields'],
  ])('is refused: %s', (select, message) => {
    expect(refusal(() => parse({ select }))).toContain(message);
  });
});

describe('sort', () => {
  it.each<[string, [string, number][]]>([
    [
      'name',
      [
        ['name', 1],
        ['_id', 1],
      ],
    ],
    [
      '-size,name',
      [
        ['size', -1],
        ['name', 1],
        ['_id', 1],
      ],
    ],
    [
      '{"size":-1,"name":1}',
      [
        ['size', -1],
        ['name', 1],
        ['_id', 1],
      ],
    ],
    ['-_id', [['_id', -1]]],
    [
      'parts.codes,parts.count',
      [
        ['parts.codes', 1],
        ['parts.count', 1],
        ['_id', 1],
      ],
    ],
    [
      'ext.a,-ext.b',
      [
        ['ext.a', 1],
        ['ext.b', -1],
        ['_id', 1],
      ],
    ],
  ])('%s', (sort, keys) => {
    expect(Object.entries(parse({ sort }).sort)).toEqual(keys);
  });

  it.each([
    ['', 'sort must name at least one field'],
    ['secret', '"secret" is not a field'],
    ['-unknown', '"unknown" is not a field'],
    ['{"name":2}', '"name" must be 1 or -1'],
    ['{"name":"asc"}', '"name" must be 1 or -1'],
    ['{"name":{"$meta":"textScore"}}', '"name" must be 1 or -1'],
    ['name,-name', 'names "name" twice'],
    ['address', 'cannot order by the object "address"'],
    ['tags,marks', 'cannot order by fields of two different lists'],
    ['tags,parts.name', 'cannot order by fields of two different lists'],
    ['name,size,weight,isFresh,madeAt', 'more than 4 fields'],
  ])('is refused: %s', (sort, message) => {
    expect(refusal(() => parse({ sort }))).toContain(message);
  });
});

describe('skip and limit', () => {
  it.each([
    [{}, { skip: 0, limit: 100 }],
    [
      { skip: '0', limit: '1' },
      { skip: 0, limit: 1 },
    ],
    [
      { skip: '1000000', limit: '1000' },
      { skip: 1_000_000, limit: 1000 },
    ],
    [{ distinct: 'name' }, { skip: 0, limit: 1000 }],
  ])('%j', (args, page) => {
    expect(parse(args)).toMatchObject(page);
  });

  it.each(['0', '1001', '-1', '1.5', '1e2', 'all', '', ' 1', '0x1', '99999999999999999999'])(
    'refuses limit %j',
    (limit) => {
      expect(refusal(() => parse({ limit }))).toBe('limit must be a whole number from 1 to 1000');
    },
  );

  it.each(['1000001', '-1', 'NaN', ''])('refuses skip %j', (skip) => {
    expect(refusal(() => parse({ skip }))).toBe('skip must be a whole number from 0 to 1000000');
  });

  it('names the next page after a full one only', () => {
    const args = { name: '~a&b', limit: '2' };
    const next = (skip: number, found: number) =>
      nextPage(args, parse({ ...args, skip: String(skip) }), { found, last: [new ObjectId(hex)] });
    expect(next(2, 2)).toBe('name=%7Ea%26b&limit=2&skip=4');
    expect(next(2, 1)).toBeUndefined();
    expect(next(999_998, 2)).toContain('skip=1000000');
    expect(next(999_999, 1)).toBeUndefined();
  });
});

describe('distinct and populate', () => {
  it('name fields', () => {
    expect(paths(parse({ distinct: 'name' }).distinct)).toEqual(['name']);
    expect(paths(parse({ distinct: 'name,ext.a' }).distinct)).toEqual(['name', 'ext.a']);
    expect(paths(parse({ populate: 'box,parts.box,createdBy' }).populate)).toEqual(['box', 'parts.box', 'createdBy']);
  });

  it.each<[Record<string, string>, string]>([
    [{ distinct: '' }, 'distinct must name at least one field'],
    [{ distinct: 'secret' }, '"secret" is not a field'],
    [{ distinct: 'address' }, 'distinct cannot tell the objects of address apart'],
    [{ distinct: 'name,size,weight,isFresh,madeAt' }, 'distinct names more than 4 fields'],
    [{ distinct: 'parts.0.name' }, 'distinct cannot name "parts.0.name": leave out the position'],
    [{ populate: 'parts.0.box' }, 'populate cannot name "parts.0.box": leave out the position'],
    [{ populate: '' }, 'populate must name at least one field'],
    [{ populate: 'name' }, 'populate cannot follow name'],
    [{ populate: 'ext.box' }, 'populate cannot follow ext.box'],
    [{ populate: 'secret' }, '"secret" is not a field'],
    [{ populate: 'box,parts.box,createdBy,updatedBy' }, 'populate names more than 3 fields'],
  ])('are refused: %j', (args, message) => {
    expect(refusal(() => parse(args))).toContain(message);
  });
});

describe('a required query', () => {
  it.each([{}, { query: '{}' }, { memberId: hex }])('refuses %j', (args) => {
    const fields = { ...thingFields, find: (path: string) => thingFields.find(path === 'memberId' ? 'box' : path) };
    expect(refusal(() => parseQuery(args, fields, { isQueryRequired: true }))).toMatch(/^query (is needed|must name)/);
  });
});

describe('the arguments of a URL', () => {
  it('are read by name', () => {
    expect(singleArguments(new URLSearchParams('name=a+b&size=%3E1&constructor=x'))).toEqual({
      name: 'a b',
      size: '>1',
      constructor: 'x',
    });
  });

  it('may be sent once for each word of a list of words', () => {
    const taken = (search: string) => singleArguments(new URLSearchParams(search), ['select', 'sort']);
    expect(taken('select=a&sort=-a&select=b,c&sort=b&skip=1')).toEqual({ select: 'a,b,c', sort: '-a,b', skip: '1' });
    expect(refusal(() => parse(taken('select={"name":1}&select={"size":1}')))).toContain('select is not valid JSON');
  });

  it.each([
    ['name=a&name=a', 'Argument "name" is given twice'],
    ['limit=1&limit=1', 'Argument "limit" is given twice'],
    ['select=a&skip=1&select=b&skip=1', 'Argument "skip" is given twice'],
    ['query={}&query={}', 'Argument "query" is given twice'],
    ['query[$ne]=1', 'Argument "query[$ne]": brackets have no meaning'],
    ['name[]=1', 'brackets have no meaning'],
    ['=1', 'Argument "" is not a name'],
    ['__proto__=1', 'Argument "__proto__" is not a name'],
    ['a%00b=1', 'Argument "a\\u0000b" is not a name'],
  ])('are refused: %s', (search, message) => {
    expect(refusal(() => singleArguments(new URLSearchParams(search), ['select']))).toContain(message);
  });
});
