import fc from 'fast-check';
import type { Json } from './meantQuery';

const word = fc.constantFrom('a', 'b', 'ab', 'B', 'a\nb', '');
const number = fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constantFrom(0.5, 2 ** 40));
const date = fc.constantFrom('2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z');
const id = fc.constantFrom('65a000000000000000000001', '65a000000000000000000002');
const freeScalar = fc.oneof(word, number, fc.boolean(), fc.constant(null), fc.constantFrom('1', 'true'));
const freeValue = fc.oneof(freeScalar, fc.array(freeScalar, { maxLength: 2 }));
const freeObject = fc.record({ c: freeValue }, { noNullPrototype: true });
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const some = <T>(values: fc.Arbitrary<T>) => maybe(fc.array(values, { maxLength: 3 }));

/** A path, with the JSON values that a query may compare it with. */
interface Path {
  values: fc.Arbitrary<unknown>;
  isText?: true;
  isList?: true;
  /** The schema says that it is an object, so it can only equal null. */
  isObject?: true;
  /** Paths of its elements that a query may use. */
  within?: string[];
  /** True for a free object: no schema describes its fields. */
  isFree?: true;
  /** False for booleans, which have no order. */
  isOrdered?: false;
}

const free = { values: fc.oneof(word, number, fc.boolean()), isText: true, isList: true, isFree: true } as const;

/** The paths that queries name. */
export const paths: Record<string, Path> = {
  name: { values: word, isText: true },
  size: { values: fc.oneof(number, number.map(String)) },
  isFresh: { values: fc.constantFrom(true, false, 'true', 'false'), isOrdered: false },
  madeAt: { values: date },
  box: { values: id },
  tags: { values: word, isText: true, isList: true },
  marks: { values: number, isList: true },
  days: { values: date, isList: true },
  address: { values: fc.constant(null), isObject: true },
  'address.city': { values: word, isText: true },
  'address.at.x': { values: number },
  parts: { values: fc.constant(null), isObject: true, isList: true, within: ['name', 'count', 'codes', 'box'] },
  'parts.name': { values: word, isText: true },
  'parts.count': { values: number },
  'parts.codes': { values: word, isText: true, isList: true },
  'parts.box': { values: id },
  'ext.a': free,
  'ext.b': { ...free, values: fc.oneof(free.values, freeObject), within: ['c'] },
  'ext.b.c': free,
};

/**
 * A stored document. Its objects have one order of keys, because MongoDB distinguishes {a, b} from {b, a} and sift does
 * not.
 */
export const document: fc.Arbitrary<Json> = fc
  .record({
    name: maybe(word),
    size: maybe(number),
    isFresh: maybe(fc.boolean()),
    madeAt: maybe(date),
    box: maybe(id),
    tags: some(word),
    marks: some(number),
    days: some(date),
    address: maybe(fc.record({ city: maybe(word), at: maybe(fc.record({ x: number, y: number })) }).map(present)),
    parts: some(fc.record({ name: maybe(word), count: maybe(number), codes: some(word), box: maybe(id) }).map(present)),
    ext: maybe(
      fc
        .record({
          a: maybe(freeValue),
          b: maybe(fc.oneof(freeValue, freeObject, fc.array(freeObject, { maxLength: 2 }))),
        })
        .map(present),
    ),
  })
  .map(present);

function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const pattern = fc.constantFrom('a', '^a', '^b', 'a.b', '(a|b)$', '[ab]{2}', 'a b');
const types = ['string', 'number', 'int', 'long', 'double', 'array', 'object', 'bool', 'date', 'null', 'objectId'];

/** A condition on a path: one or two operators. `depth` limits the nesting of $not and $elemMatch. */
function condition(path: string, depth: number): fc.Arbitrary<unknown> {
  const { values, isText, isList, isObject, within, isOrdered, isFree } = paths[path] ?? { values: word };
  const orNull = fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
  const ordered = isFree ? fc.oneof(word, number) : values;
  const operators: Record<string, fc.Arbitrary<Json>> = {
    ...one('$eq', isFree ? fc.oneof(orNull, fc.array(word, { maxLength: 2 })) : orNull),
    ...one('$ne', orNull),
    ...one('$in', fc.array(orNull, { maxLength: 3 })),
    ...one('$nin', fc.array(orNull, { maxLength: 3 })),
    ...one('$all', fc.array(values, { maxLength: 2 })),
    ...one('$exists', fc.boolean()),
    ...one('$type', fc.oneof(fc.constantFrom(...types), fc.subarray(types, { minLength: 1, maxLength: 3 }))),
    ...(isObject || isOrdered === false
      ? {}
      : Object.assign({}, ...['$gt', '$gte', '$lt', '$lte'].map((name) => one(name, ordered)))),
    ...(isText ? { $regex: regex } : {}),
    ...(isList ? one('$size', fc.integer({ min: 0, max: 3 })) : {}),
    ...(isList && !isObject ? { elements: elements(isFree ? fc.oneof(word, number) : values) } : {}),
    ...(within && depth > 0 ? one('$elemMatch', query(within, depth - 1, `${path}.`)) : {}),
    ...(depth > 0
      ? one(
          '$not',
          fc.constant(path).chain((same) => condition(same, depth - 1)),
        )
      : {}),
  };
  const chosen = fc.subarray(Object.values(operators), { minLength: 1, maxLength: 2 });
  return chosen.chain((each) => fc.tuple(...each)).map((conditions) => Object.assign({}, ...conditions));
}

function one(name: string, values: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<Json>> {
  return { [name]: values.map((value) => ({ [name]: value })) };
}

const regex: fc.Arbitrary<Json> = fc
  .tuple(pattern, fc.option(fc.subarray(['i', 'm', 's']).map((letters) => letters.join(''))))
  .map(([source, options]) => ({ $regex: source, ...(options === null ? {} : { $options: options }) }));

/** A condition that one element of a list of values must meet alone. */
function elements(values: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  const inner = { $gte: values, $ne: values, $lt: values, $in: fc.array(values, { maxLength: 2 }) };
  return fc.record(inner, { requiredKeys: ['$ne'], noNullPrototype: true }).map((of) => ({ $elemMatch: of }));
}

/** A query on these paths. `depth` limits the nesting of $and, $or, $nor, $not and $elemMatch. */
export function query(names: string[], depth: number, prefix = ''): fc.Arbitrary<Json> {
  const leaf = fc.constantFrom(...names).chain((name) => {
    const { values, isFree } = paths[`${prefix}${name}`] ?? { values: word };
    const equal = isFree ? fc.oneof(values, freeObject) : values;
    return fc.oneof(equal, condition(`${prefix}${name}`, depth)).map((message) => ({ [name]: message }));
  });
  if (depth <= 0) return leaf;
  const branches = fc.array(query(names, depth - 1, prefix), { minLength: 1, maxLength: 3 });
  const joined = fc.constantFrom('$and', '$or', '$nor').chain((name) => branches.map((each) => ({ [name]: each })));
  return fc.oneof(
    leaf,
    joined,
    fc.tuple(leaf, joined).map(([a, b]) => ({ ...a, ...b })),
  );
}

/** An argument `field=value` with any shorthand. */
export const shorthand: fc.Arbitrary<[string, string]> = fc
  .constantFrom(...Object.keys(paths).filter((path) => !paths[path]?.isObject && path !== 'ext.b'))
  .chain((path) => {
    const { values, isText, isOrdered } = paths[path] ?? { values: word };
    const prefixes = ['', '!=', ...(isOrdered === false ? [] : ['>', '>=', '<', '<='])];
    const compared = fc.tuple(fc.constantFrom(...prefixes), values).map(([prefix, value]) => `${prefix}${value}`);
    const matched = pattern.map((source) => `~${source}`);
    return (isText ? fc.oneof(compared, matched) : compared).map((text): [string, string] => [path, text]);
  });
