import { ObjectId } from 'bson';
import fc from 'fast-check';
import { parseQuery } from '../../src/query/parseQuery';
import { count, list } from '../../src/query/read';
import { matches } from './matches';
import { type StoredThings, storedThings } from './stored';
import { thingFields, thingResource } from './thing';

const word = fc.constantFrom('a', 'b', 'ab', 'B', '');
const number = fc.integer({ min: -2, max: 3 });
const date = fc.constantFrom('2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z');
const freeValue = fc.oneof(
  word,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(word, number), { maxLength: 2 }),
);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const thing = fc.record({
  name: maybe(word),
  size: maybe(number),
  isFresh: maybe(fc.boolean()),
  madeAt: maybe(date.map((text) => new Date(text))),
  tags: maybe(fc.array(word, { maxLength: 3 })),
  address: maybe(fc.record({ city: word, at: maybe(fc.record({ x: number, y: number })) }).map(dropUndefined)),
  parts: maybe(
    fc.array(
      fc
        .record({ name: maybe(word), count: maybe(number), codes: maybe(fc.array(word, { maxLength: 2 })) })
        .map(dropUndefined),
      { maxLength: 2 },
    ),
  ),
  ext: maybe(
    fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(freeValue, fc.record({ c: freeValue })), { maxKeys: 2 }),
  ),
});

/** A path with the JSON values it is asked for, and its elements' own where it is a list. */
const fields: Record<string, { values: fc.Arbitrary<unknown>; isText?: true; isList?: true; isObject?: true }> = {
  name: { values: word, isText: true },
  size: { values: fc.oneof(number, number.map(String)) },
  isFresh: { values: fc.constantFrom(true, false, 'true', 'false') },
  madeAt: { values: date },
  tags: { values: word, isText: true, isList: true },
  address: { values: fc.constant(null), isObject: true },
  'address.city': { values: word, isText: true },
  'address.at.x': { values: number },
  parts: { values: fc.constant(null), isObject: true, isList: true },
  'parts.name': { values: word, isText: true },
  'parts.count': { values: number },
  'parts.codes': { values: word, isText: true, isList: true },
  'ext.a': { values: fc.oneof(word, number, fc.boolean()), isText: true, isList: true },
  'ext.b.c': { values: fc.oneof(word, number, fc.boolean()), isText: true, isList: true },
};

/** What a field stores for a value sent in JSON, written down independently of the service's casts. */
function stored(path: string, value: unknown): unknown {
  if (value === null) return null;
  if (path.endsWith('madeAt')) return new Date(String(value));
  if (path.endsWith('size')) return Number(value);
  return path.endsWith('isFresh') ? String(value) === 'true' : value;
}

function condition(path: string, depth: number): fc.Arbitrary<unknown> {
  const { values, isText, isList, isObject } = fields[path] ?? { values: word };
  const orNull = fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
  const listed = fc.array(orNull, { maxLength: 3 });
  const operators: Record<string, fc.Arbitrary<unknown>> = {
    $eq: orNull,
    $ne: orNull,
    $in: listed,
    $nin: listed,
    $all: fc.array(values, { maxLength: 2 }),
    $exists: fc.boolean(),
    $type: fc.constantFrom('string', 'number', 'array', 'object', 'bool', 'date', 'null'),
    ...(isObject ? {} : { $gt: values, $gte: values, $lt: values, $lte: values }),
    ...(isText ? { $regex: fc.constantFrom('a', '^a', '(a|b)$', '[ab]{2}') } : {}),
    ...(isList ? { $size: fc.integer({ min: 0, max: 3 }) } : {}),
    ...(isList && !isObject ? { $elemMatch: condition('', 0) } : {}),
    ...(path === 'parts' ? { $elemMatch: query(['name', 'count', 'codes'], depth - 1, 'parts.') } : {}),
    ...(depth > 0 ? { $not: fc.constant(path).chain((same) => operatorsOf(same, depth - 1)) } : {}),
  };
  if (path === '')
    return fc.record({ $gte: word, $ne: word, $in: fc.array(word, { maxLength: 2 }) }, { requiredKeys: ['$ne'] });
  const some = fc.subarray(Object.keys(operators), { minLength: 1, maxLength: 2 });
  return some.chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, operators[name] ?? word]))));
}

function operatorsOf(path: string, depth: number): fc.Arbitrary<unknown> {
  return condition(path, depth);
}

function query(paths: string[], depth: number, prefix = ''): fc.Arbitrary<Record<string, unknown>> {
  const leaf = fc.constantFrom(...paths).chain((path) => {
    const { values } = fields[`${prefix}${path}`] ?? { values: word };
    return fc.oneof(values, condition(`${prefix}${path}`, depth)).map((said) => ({ [path]: said }));
  });
  if (depth <= 0) return leaf;
  const branches = fc.array(query(paths, depth - 1, prefix), { minLength: 1, maxLength: 3 });
  const joined = fc.constantFrom('$and', '$or', '$nor').chain((name) => branches.map((each) => ({ [name]: each })));
  const both = fc.tuple(leaf, joined).map(([a, b]) => ({ ...a, ...b }));
  return fc.oneof(leaf, joined, both);
}

function isWithinLimits(json: object): boolean {
  return JSON.stringify(json).split('$regex').length <= 3;
}

function dropUndefined<T extends object>(value: T): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

describe('a parsed filter in MongoDB', () => {
  let things: StoredThings;

  beforeAll(async () => {
    things = await storedThings();
  });
  afterAll(() => things.close());

  it('selects exactly the documents that the query means', async () => {
    const docs = fc.array(thing.map(dropUndefined), { minLength: 1, maxLength: 8 });
    const queries = fc.array(query(Object.keys(fields), 2).filter(isWithinLimits), { minLength: 1, maxLength: 5 });
    const agrees = fc.asyncProperty(docs, queries, async (made, asked) => {
      const reader = things.reader();
      const inserted = made.map((doc) => ({ _id: new ObjectId(), org: reader.org, ...doc }));
      // The same documents in another org must never show.
      const foreign = made.map((doc) => ({ _id: new ObjectId(), org: new ObjectId(), ...doc }));
      await things.db.collection('things').insertMany([...inserted, ...foreign]);
      for (const json of asked) {
        const request = parseQuery({ query: JSON.stringify(json) }, thingFields);
        const found = await list(reader, thingResource, request);
        const meant = inserted.filter((doc) => matches(doc, json, stored));
        expect({ json, ids: found.map(({ _id }) => String(_id)) }).toEqual({
          json,
          ids: meant.map(({ _id }) => String(_id)),
        });
        expect(await count(reader, thingResource, request)).toBe(meant.length);
      }
    });
    await fc.assert(agrees, { numRuns: 150 });
  }, 120_000);
});
