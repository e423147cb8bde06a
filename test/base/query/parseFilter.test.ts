import { ObjectId } from 'bson';
import { parseFilter } from '#base/query/parseFilter';
import { refusal } from './refusal';
import { thingFields } from './thing';

const hex = '0123456789abcdef01234567';
const id = new ObjectId(hex);
const instant = '2026-01-31T13:45:00.000Z';
const date = new Date(instant);
const parse = (query: unknown) => parseFilter(typeof query === 'string' ? query : JSON.stringify(query), thingFields);
const nested = (depth: number): unknown => (depth === 1 ? { size: 1 } : { $and: [nested(depth - 1)] });

describe('a filter that is allowed', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', {}, {}],
    ['equality', { name: 'a' }, { name: { $eq: 'a' } }],
    ['fields together', { name: 'a', size: 1 }, { name: { $eq: 'a' }, size: { $eq: 1 } }],
    ['ids', { box: hex }, { box: { $eq: new ObjectId(hex) } }],
    ['numbers as text', { weight: '-1.5' }, { weight: { $eq: -1.5 } }],
    ['booleans as text', { isFresh: 'true' }, { isFresh: { $eq: true } }],
    ['null', { name: null, address: { $ne: null } }, { name: { $eq: null }, address: { $ne: null } }],
    ['an element of a list', { tags: 'a' }, { tags: { $eq: 'a' } }],
    ['a field in a list', { 'parts.box': hex }, { 'parts.box': { $eq: new ObjectId(hex) } }],
    ['ranges', { size: { $gt: 1, $gte: 2, $lt: 9, $lte: 8 } }, { size: { $gt: 1, $gte: 2, $lt: 9, $lte: 8 } }],
    ['$in and $nin', { size: { $in: [1, '2', null] } }, { size: { $in: [1, 2, null] } }],
    ['$all and $size', { tags: { $all: ['a'], $size: 2 } }, { tags: { $all: ['a'], $size: 2 } }],
    ['$exists and $type', { any: { $exists: true, $type: 'date' } }, { any: { $exists: true, $type: 'date' } }],
    ['$type with a list', { any: { $type: ['int', 'null'] } }, { any: { $type: ['int', 'null'] } }],
    ['$regex', { name: { $regex: '^a', $options: 'im' } }, { name: { $regex: '^a', $options: 'im' } }],
    ['$not', { size: { $not: { $gt: 5 } } }, { size: { $not: { $gt: 5 } } }],
    ['$elemMatch of values', { marks: { $elemMatch: { $gt: 1 } } }, { marks: { $elemMatch: { $gt: 1 } } }],
    [
      '$elemMatch of fields',
      { parts: { $elemMatch: { box: hex, $or: [{ count: { $gt: '3' } }, { name: 'x' }] } } },
      {
        parts: {
          $elemMatch: { box: { $eq: new ObjectId(hex) }, $or: [{ count: { $gt: 3 } }, { name: { $eq: 'x' } }] },
        },
      },
    ],
    [
      '$elemMatch of free objects',
      { notes: { $elemMatch: { by: 'x' } } },
      { notes: { $elemMatch: { by: { $eq: 'x' } } } },
    ],
    ['$elemMatch of free values', { 'ext.l': { $elemMatch: { $lt: 3 } } }, { 'ext.l': { $elemMatch: { $lt: 3 } } }],
    [
      '$and, $or, $nor',
      { $and: [{ name: 'a' }], $or: [{ size: 1 }, { size: 2 }], $nor: [{ isFresh: true }] },
      {
        $and: [{ name: { $eq: 'a' } }],
        $or: [{ size: { $eq: 1 } }, { size: { $eq: 2 } }],
        $nor: [{ isFresh: { $eq: true } }],
      },
    ],
    [
      'free values as they are',
      { 'ext.a': '12', any: { b: [1] } },
      { 'ext.a': { $eq: '12' }, any: { $eq: { b: [1] } } },
    ],
    ['a free list', { 'ext.l': [1, 'a'] }, { 'ext.l': { $eq: [1, 'a'] } }],
    ['a free id as text and as id', { any: hex }, { any: { $in: [hex, id] } }],
    ['a free date as text and as date', { any: { $ne: instant } }, { any: { $nin: [instant, date] } }],
    [
      'free values in lists',
      { any: { $in: [hex, 1], $nin: [instant, null] } },
      { $and: [{ any: { $in: [hex, id, 1] } }, { any: { $nin: [instant, date, null] } }] },
    ],
    [
      'all of several free values',
      { any: { $all: [hex, 'a'], $size: 2 } },
      { $and: [{ $and: [{ any: { $in: [hex, id] } }, { any: { $in: ['a'] } }] }, { any: { $size: 2 } }] },
    ],
    [
      'a free range',
      { any: { $gt: instant }, size: 1 },
      { $or: [{ any: { $gt: instant } }, { any: { $gt: date } }], size: { $eq: 1 } },
    ],
    [
      'free ranges beside $or',
      { any: { $lt: instant }, $or: [{ size: 1 }] },
      { $and: [{ $or: [{ any: { $lt: instant } }, { any: { $lt: date } }] }, { $or: [{ size: { $eq: 1 } }] }] },
    ],
    ['the contrary of a free value', { any: { $not: { $eq: hex } } }, { $nor: [{ any: { $in: [hex, id] } }] }],
    [
      'a free value of an element',
      { notes: { $elemMatch: { by: hex } } },
      { notes: { $elemMatch: { by: { $in: [hex, id] } } } },
    ],
    ['a text that begins like a shorthand', { name: { $eq: '~x' } }, { name: { $eq: '~x' } }],
    ['a position in a list', { 'parts.0.box': hex }, { 'parts.0.box': { $eq: id } }],
    ['a field named like an argument', { query: 'x' }, { query: { $eq: 'x' } }],
    ['names that objects inherit', { 'ext.constructor': 'x' }, { 'ext.constructor': { $eq: 'x' } }],
    ['six objects deep', nested(6), expect.anything()],
    ['500 values', { size: { $in: Array(500).fill(1) } }, expect.anything()],
    ['two regular expressions', { name: { $regex: 'a' }, tags: { $regex: 'b' } }, expect.anything()],
  ])('%s', (_name, query, filter) => {
    expect(parse(query)).toEqual(filter);
  });

  it.each([
    ['2026-01-31T13:45:00.000+02:00', '2026-01-31T11:45:00.000Z'],
    ['2026-01-31T13:45:00.000-02:00', '2026-01-31T15:45:00.000Z'],
    ['2026-01-31T13:45:00.000+0200', '2026-01-31T11:45:00.000Z'],
    ['2026-01-31T13:45:00.000-0200', '2026-01-31T15:45:00.000Z'],
    ['2026-01-31T13:45:00.000', '2026-01-31T13:45:00.000Z'],
    ['2026-01-31 13:45:00.000', '2026-01-31T13:45:00.000Z'],
    ['2026-01-31T13:45:00.000Z', '2026-01-31T13:45:00.000Z'],
    ['2026-01-31T13:45:00Z', '2026-01-31T13:45:00.000Z'],
    ['01/31/2026 13:45:00', '2026-01-31T13:45:00.000Z'],
  ])('reads the date %s', (text, iso) => {
    expect(parse({ madeAt: { $gte: text } })).toEqual({ madeAt: { $gte: new Date(iso) } });
  });

  it('may be left out unless it is required', () => {
    expect(parseFilter(undefined, thingFields)).toEqual({});
  });
});

describe('a filter that is refused', () => {
  it.each<[unknown, string]>([
    ['', 'query is not valid JSON'],
    ['{"a"', 'query is not valid JSON'],
    ['[]', 'query must be a JSON object'],
    ['null', 'query must be a JSON object'],
    ['"a"', 'query must be a JSON object'],
    [{ unknown: 1 }, '"unknown" is not a field'],
    [{ secret: 'x' }, '"secret" is not a field'],
    [{ $and: [{ secret: { $regex: '^a' } }] }, '"secret" is not a field'],
    [{ parts: { $elemMatch: { secret: 1 } } }, '"secret" is not a field'],
    [{ name: '~x' }, 'query.name: "~x" is a shorthand of field=value; write an operator such as $regex, or {"$eq":…}'],
    [{ size: '>12' }, 'query.size: ">12" is a shorthand'],
    [{ size: '>=12' }, 'query.size: ">=12" is a shorthand'],
    [{ 'ext.a': '<12' }, 'query.ext.a: "<12" is a shorthand'],
    [{ $or: [{ name: '!=x' }] }, 'query.$or.name: "!=x" is a shorthand'],
    [{ parts: { $elemMatch: { name: '<=x' } } }, 'query.parts.$elemMatch.name: "<=x" is a shorthand'],
    ['{"":1}', 'must not hold the key ""'],
    ['{"__proto__":{"a":1}}', 'must not hold the key "__proto__"'],
    ['{"any":{"__proto__":{"a":1}}}', 'must not hold the key "__proto__"'],
    ['{"any":{"_bsontype":"ObjectId"}}', 'must not hold the key "_bsontype"'],
    [{ 'ext.a\0b': 1 }, 'must not hold the key "ext.a\\u0000b"'],
    [{ $where: 'sleep(1000)' }, 'operator "$where" is not allowed here; use one of $and, $or, $nor'],
    [{ $expr: { $eq: [1, 1] } }, 'operator "$expr" is not allowed'],
    [{ $jsonSchema: {} }, 'operator "$jsonSchema" is not allowed'],
    [{ $text: { $search: 'x' } }, 'operator "$text" is not allowed'],
    [{ $comment: 'x' }, 'operator "$comment" is not allowed'],
    [{ $gt: 1 }, 'operator "$gt" is not allowed'],
    [{ $or: [{ $where: '1' }] }, 'operator "$where" is not allowed'],
    [{ parts: { $elemMatch: { $where: '1' } } }, 'operator "$where" is not allowed'],
    [{ name: { $function: 'x' } }, 'query.name: operator "$function" is not allowed here; use one of $eq, $ne,'],
    [{ name: { $and: [] } }, 'operator "$and" is not allowed'],
    [{ name: { $constructor: 1 } }, 'operator "$constructor" is not allowed'],
    [{ size: { $mod: [2, 0] } }, 'operator "$mod" is not allowed'],
    [{ address: { $geoWithin: {} } }, 'operator "$geoWithin" is not allowed'],
    [{ any: { $eq: { $gt: 1 } } }, 'query.any.$eq must be a JSON value whose keys do not start with $'],
    [{ any: { a: { $gt: 1 } } }, 'keys do not start with $'],
    [{ $and: [] }, 'query.$and must be a list of at least one filter'],
    [{ $or: [] }, 'query.$or must be a list of at least one filter'],
    [{ $nor: [] }, 'query.$nor must be a list of at least one filter'],
    [{ $or: { name: 'a' } }, 'query.$or must be a list of at least one filter'],
    [{ $or: [{}] }, 'query.$or takes filters that name at least one field'],
    [{ $or: ['name'] }, 'query.$or takes filters that name at least one field'],
    [{ name: {} }, 'query.name cannot equal an object'],
    [{ address: { city: 'Rome' } }, 'query.address cannot equal an object; name a field of it with a dot'],
    [{ name: { $gt: 'a', b: 1 } }, 'query.name must not mix operators with fields'],
    [{ name: ['a'] }, 'query.name cannot equal a list; use $in, $all or $size'],
    [{ tags: { $eq: ['a'] } }, 'query.tags.$eq cannot equal a list'],
    [{ name: { $ne: { $gt: '' } } }, 'query.name.$ne must be a string'],
    [{ name: { $eq: { $gt: '' } } }, 'query.name.$eq must be a string'],
    [{ name: { $in: [{ $gt: '' }] } }, 'query.name.$in takes values, not operators'],
    [{ any: { $in: [{ $gt: '' }] } }, 'query.any.$in takes values, not operators'],
    [{ name: { $in: 'a' } }, 'query.name.$in must be a list of at most 500 values'],
    [{ size: { $in: Array(501).fill(1) } }, 'query.size.$in must be a list of at most 500 values'],
    [{ name: { $in: [['a']] } }, 'query.name.$in.0 cannot equal a list'],
    [{ name: 1 }, 'query.name must be a string'],
    [{ size: 'many' }, 'query.size must be a number'],
    [{ size: '0x10' }, 'query.size must be a number'],
    [{ size: '1e3' }, 'query.size must be a number'],
    [{ size: ' 1' }, 'query.size must be a number'],
    [{ size: '' }, 'query.size must be a number'],
    [{ size: true }, 'query.size must be a number'],
    ['{"size":1e999}', 'query.size must be a number'],
    ['{"size":9007199254740992}', 'query.size must be a number'],
    ['{"ext.a":1e999}', 'query.ext.a must be a JSON value'],
    [{ isFresh: 1 }, 'query.isFresh must be true or false'],
    [{ isFresh: 'yes' }, 'query.isFresh must be true or false'],
    [{ madeAt: '2026-02-30T00:00:00.000Z' }, 'query.madeAt must be a date'],
    [{ madeAt: '2026-01-31' }, 'query.madeAt must be a date'],
    [{ madeAt: 0 }, 'query.madeAt must be a date'],
    [{ box: '123' }, 'query.box must be an id of 24 hexadecimal characters'],
    [{ box: { $oid: hex } }, 'operator "$oid" is not allowed'],
    [{ address: 'x' }, 'query.address must be null, or name one of its fields with a dot'],
    [{ size: { $gt: null } }, 'query.size.$gt must be a number, date, id or string'],
    [{ any: { $lt: { a: 1 } } }, 'query.any.$lt must be a number, date, id or string'],
    [{ any: { $gte: true } }, 'query.any.$gte must be a number, date, id or string'],
    [{ isFresh: { $gt: true } }, 'query.isFresh.$gt: true and false have no order'],
    [{ isFresh: { $not: { $lte: false } } }, 'query.isFresh.$not.$lte: true and false have no order'],
    [{ name: { $exists: 1 } }, 'query.name.$exists must be true or false'],
    [{ name: { $type: 'javascript' } }, 'query.name.$type must be one of array, bool'],
    [{ name: { $type: 2 } }, 'query.name.$type must be one of'],
    [{ name: { $type: [] } }, 'query.name.$type must be one of'],
    [{ name: { $type: ['string', 'javascript'] } }, 'query.name.$type must be one of'],
    [{ name: { $type: Array.from({ length: 12 }, () => 'string') } }, 'query.name.$type must be one of'],
    [{ name: { $size: 1 } }, 'query.name.$size is for lists'],
    [{ tags: { $size: -1 } }, 'query.tags.$size must be a whole number'],
    [{ tags: { $size: 1.5 } }, 'query.tags.$size must be a whole number'],
    [{ name: { $elemMatch: { $eq: 'a' } } }, 'query.name.$elemMatch is for lists'],
    [{ tags: { $elemMatch: {} } }, 'query.tags.$elemMatch must be an object of operators'],
    [{ tags: { $elemMatch: 'a' } }, 'query.tags.$elemMatch must be an object of operators'],
    [{ tags: { $elemMatch: { a: 1 } } }, 'operator "a" is not allowed here'],
    [{ parts: { $elemMatch: {} } }, 'query.parts.$elemMatch takes filters that name at least one field'],
    [{ parts: { $elemMatch: { $gt: 1 } } }, 'operator "$gt" is not allowed here; use one of $and'],
    [{ name: { $not: 'a' } }, 'query.name.$not must be an object of operators'],
    [{ name: { $not: {} } }, 'query.name.$not must be an object of operators'],
    [{ name: { $not: { first: 1 } } }, 'operator "first" is not allowed'],
    [{ $not: { name: 'a' } }, 'operator "$not" is not allowed here; use one of $and, $or, $nor'],
    [{ size: { $regex: '1' } }, 'query.size.$regex is for texts'],
    [{ box: { $regex: '^0' } }, 'query.box.$regex is for texts'],
    [{ name: { $regex: 1 } }, 'query.name.$regex must be a string'],
    [{ name: { $options: 'i' } }, 'query.name.$options may only stand beside $regex'],
    [{ name: { $regex: 'a', $options: 'g' } }, 'query.name.$options must be a string of the letters i, m, s'],
    [{ name: { $regex: 'a', $options: 'ii' } }, 'query.name.$options must be a string of the letters i, m, s'],
    [{ name: { $regex: 'a', $options: 1 } }, 'query.name.$options must be a string of the letters i, m, s'],
    [{ $or: ['a', 'b', 'c'].map((x) => ({ name: { $regex: x } })) }, 'has more than 2 regular expressions'],
    [nested(7), 'nests deeper than 6 objects'],
    [{ $or: Array.from({ length: 50 }, () => ({ size: 1 })) }, 'has more than 100 conditions'],
    [{ name: 'x'.repeat(16_384) }, 'query is longer than 16384 bytes'],
    [`{"any":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'query nests too deep'],
  ])('%j: %s', (query, message) => {
    expect(refusal(() => parse(query))).toContain(message);
  });

  it.each([
    [undefined, 'validate is needed'],
    ['{}', 'validate must name at least one field'],
  ])('is missing or empty where one is required: %s', (text, message) => {
    const required = () => parseFilter(text, thingFields, { name: 'validate', isRequired: true });
    expect(refusal(required)).toContain(message);
  });

  it('never echoes more than a hundred characters of the request', () => {
    expect(refusal(() => parse({ ['x'.repeat(5000)]: 1 })).length).toBeLessThan(200);
  });
});
