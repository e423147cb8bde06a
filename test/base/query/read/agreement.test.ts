import { ObjectId } from 'bson';
import fc from 'fast-check';
import { parseQuery } from '#base/query/parseQuery';
import { countDistinct, distinct } from '#base/query/read/distinct';
import { readCount, readList } from '#base/query/read/read';
import { longer, scaled, seedsOf } from '../../../support/scale';
import { distinctValues, type Json, meantBy, shorthandQuery, stored } from '../meantQuery';
import { document, paths, query, shorthand } from '../randomQuery';
import { thingFields, thingResource } from '../thing';
import { type StoredThings, storedThings } from './stored';

const seeds = seedsOf(20_260_131);

/** The arguments of one read: a query, a field argument, or both, and a path for distinct values. */
const requests = fc.record({
  json: fc.option(query(Object.keys(paths), 2).filter(isWithinLimits)),
  field: fc.option(shorthand),
  distinct: fc.constantFrom(...Object.keys(paths).filter((path) => !paths[path]?.isObject)),
});

/** Allows at most two cheap regular expressions, including the shorthand's, and a nesting of six objects. */
function isWithinLimits(json: Json): boolean {
  return JSON.stringify(json).split('$regex').length <= 2 && depthOf(json) <= 6 && !isTooDear(json);
}

/** Tells whether the service refuses a query for the cost of its regular expression, such as `(a|b)$` of many lines. */
function isTooDear(json: Json): boolean {
  try {
    parseQuery({ query: JSON.stringify(json) }, thingFields);
    return false;
  } catch (error) {
    return String(error).includes('could take too long');
  }
}

function depthOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  const inner = Math.max(0, ...Object.values(node).map(depthOf));
  return Array.isArray(node) ? inner : inner + 1;
}

describe('a parsed filter in MongoDB', () => {
  let things: StoredThings;

  beforeAll(async () => {
    things = await storedThings();
  });
  afterAll(() => things.close());

  it.each(seeds)('selects, counts and takes the values of exactly what sift says it means (seed %d)', async (seed) => {
    const agrees = fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 10 }),
      fc.array(requests, { minLength: 1, maxLength: 6 }),
      async (made, asks) => {
        const reader = things.reader();
        const docs = made.map((doc) => ({ _id: new ObjectId(), org: reader.org, ...storedFields(doc) }));
        // Documents of another org, which must never be found.
        const foreign = made.map((doc) => ({ _id: new ObjectId(), org: new ObjectId(), ...storedFields(doc) }));
        await things.db.collection('things').insertMany([...docs, ...foreign]);
        for (const { json, field, distinct: path } of asks) {
          const args = {
            ...(json ? { query: JSON.stringify(json) } : {}),
            ...(field ? { [field[0]]: field[1] } : {}),
          };
          const parts = [...(json ? [json] : []), ...(field ? [shorthandQuery(...field)] : [])];
          const meant = docs.filter((doc) => parts.every((part) => meantBy(part)(doc)));
          const request = parseQuery(args, thingFields);
          const found = await readList(reader, thingResource, request);
          const ids = meant.map(({ _id }) => String(_id));
          expect({ args, ids: found.map(({ _id }) => String(_id)) }).toEqual({ args, ids });
          expect(await readCount(reader, thingResource, request)).toBe(meant.length);
          const ofValues = parseQuery({ ...args, distinct: path }, thingFields);
          const values = await distinct(reader, thingResource, ofValues);
          expect(await countDistinct(reader, thingResource, ofValues)).toBe(values.length);
          const texts = values.map((value) => JSON.stringify(value)).sort();
          expect({ args, path, texts }).toEqual({ args, path, texts: distinctValues(meant, path) });
        }
      },
    );
    await fc.assert(agrees, { seed, numRuns: scaled(75, seed), interruptAfterTimeLimit: 20_000 * longer });
  });
});

/** A document in its stored form, with dates and ids instead of their texts. */
function storedFields(doc: Json, path = ''): Json {
  const convert = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => convert(each, at));
    return typeof value === 'object' && value !== null ? storedFields(value as Json, `${at}.`) : stored(at, value);
  };
  return Object.fromEntries(Object.entries(doc).map(([name, value]) => [name, convert(value, `${path}${name}`)]));
}
