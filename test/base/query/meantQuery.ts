import { ObjectId } from 'bson';
import createTester, { createEqualsOperation, type Query } from 'sift';

/** A JSON object. */
export type Json = Record<string, unknown>;

/**
 * Tells which documents a query selects, according to sift. This is the oracle of the property test and shares no code
 * with the service. The steps before sift translate MongoDB's documented semantics into sift's.
 */
export function meantBy(query: Json): (doc: Json) => boolean {
  const tester = createTester<Json>(translated(query) as Query<Json>, { operations: { $type: isOfType } });
  return (doc) => tester(withViews(doc));
}

/**
 * Sift treats a text or number in a list as an object without fields, so `{"a.b": null}` would match `{a: ["x"]}`.
 * MongoDB looks only inside objects. So every step of a path except the last uses a view `a/` with only the objects of
 * a list.
 */
function withViews(node: Json): Json {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => [
      [key, value],
      [
        `${key}/`,
        Array.isArray(value) ? value.filter(isJson).map(withViews) : isJson(value) ? withViews(value) : value,
      ],
    ]),
  );
}

const inViews = (path: string) => path.split('.').join('/.');

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Translates a query for sift. `outer` is the path of the list whose elements are queried. */
function translated(query: Json, outer = ''): Json {
  const parts = Object.entries(query).map(([key, value]) => {
    if (key.startsWith('$')) return { [key]: (value as Json[]).map((branch) => translated(branch, outer)) };
    return translatedField(key, `${outer}${key}`, value);
  });
  return parts.length === 1 ? (parts[0] ?? {}) : { $and: parts };
}

function translatedField(path: string, whole: string, condition: unknown): Json {
  const isOperators = isJson(condition) && Object.keys(condition)[0]?.startsWith('$');
  if (!isOperators) return { [inViews(path)]: { $eq: stored(whole, condition) } };
  const { $options = '', ...operators } = condition;
  return { $and: Object.entries(operators).map(([name, of]) => leaf(path, whole, [name, of], String($options))) };
}

function leaf(path: string, whole: string, [name, of]: [string, unknown], options: string): Json {
  const place = inViews(path);
  if (name === '$elemMatch' && isOfFields(of)) return { [`${place}/`]: { $elemMatch: translated(of, `${whole}.`) } };
  // Sift has no conditions below $not that use a view; {a: {$not: x}} is {$nor: [{a: x}]} by definition.
  if (name === '$not') return { $nor: [translatedField(path, whole, of)] };
  if (name === '$elemMatch') return { [place]: { $elemMatch: plainOperators(whole, of as Json) } };
  // For sift an empty $all matches everything; MongoDB documents that it selects nothing.
  if (name === '$all' && Array.isArray(of) && of.length === 0) return { [place]: { $in: [] } };
  // Below $all sift treats an object as conditions on its fields; for MongoDB it is a value to equal.
  if (name === '$all' && (of as unknown[]).some(isJson)) {
    return { $and: (of as unknown[]).map((each) => ({ [place]: { $eq: stored(whole, each) } })) };
  }
  if (name === '$regex') return { [place]: { $regex: String(of), $options: options } };
  return { [place]: { [name]: operand(whole, name, of) } };
}

function isOfFields(of: unknown): of is Json {
  return isJson(of) && Object.keys(of).every((key) => !key.startsWith('$') || ['$and', '$or', '$nor'].includes(key));
}

function plainOperators(whole: string, operators: Json): Json {
  return Object.fromEntries(Object.entries(operators).map(([name, of]) => [name, operand(whole, name, of)]));
}

const literal = new Set(['$exists', '$type', '$size']);

function operand(path: string, name: string, of: unknown): unknown {
  if (literal.has(name)) return of;
  return ['$in', '$nin', '$all'].includes(name)
    ? (of as unknown[]).map((each) => stored(path, each))
    : stored(path, of);
}

/** Sift has no types for dates, objects, ids or number widths, and accepts no list of types. */
function isOfType(wanted: string | string[], owner: unknown, options: Parameters<typeof createEqualsOperation>[2]) {
  const names = [wanted].flat();
  return createEqualsOperation((value: unknown) => typesOf(value).some((name) => names.includes(name)), owner, options);
}

function typesOf(value: unknown): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (value instanceof Date) return ['date'];
  if (value instanceof ObjectId) return ['objectId'];
  // The driver stores whole numbers of 32 bits as int and all others as double.
  if (typeof value === 'number') return ['number', (value | 0) === value ? 'int' : 'double'];
  return typeof value === 'boolean' ? ['bool'] : [typeof value];
}

/** The stored form of a value in a query, written independently of the service's casts. */
export function stored(path: string, value: unknown): unknown {
  if (value === null) return null;
  const name = path.split('.').at(-1) ?? '';
  if (['madeAt', 'days'].includes(name)) return new Date(String(value));
  if (name === 'box') return new ObjectId(String(value));
  if (['size', 'count', 'marks', 'x'].includes(name)) return Number(value);
  return name === 'isFresh' ? String(value) === 'true' : value;
}

const operators: Record<string, string> = { '>=': '$gte', '<=': '$lte', '!=': '$ne', '>': '$gt', '<': '$lt' };

/** The query of `field=value` (SPEC "Advanced query arguments"). */
export function shorthandQuery(path: string, text: string): Json {
  if (text.startsWith('~')) return { [path]: { $regex: text.slice(1), $options: 'i' } };
  const [prefix = ''] = /^(>=|<=|!=|>|<)?/.exec(text) ?? [];
  const value = text.slice(prefix.length);
  const operator = operators[prefix] ?? '$eq';
  // Extension fields have no defined type: 3 means 3 and "3"; only for equality, true means true and "true".
  const isUntyped = path.startsWith('ext.');
  const asNumber = isUntyped && value !== '' && Number.isFinite(Number(value)) ? [Number(value)] : [];
  const asBoolean = isUntyped && ['true', 'false'].includes(value) ? [value === 'true'] : [];
  if (operator === '$eq') return { [path]: { $in: [value, ...asNumber, ...asBoolean] } };
  if (operator === '$ne') return { [path]: { $nin: [value, ...asNumber, ...asBoolean] } };
  return { $or: [value, ...asNumber].map((each) => ({ [path]: { [operator]: each } })) };
}

/** The distinct values of a path in documents, as sorted JSON texts. A list gives its elements; null is left out. */
export function distinctValues(docs: readonly Json[], path: string): string[] {
  const values = docs.flatMap((doc) => valuesAt(doc, path.split('.')));
  return [...new Set(values.filter((value) => value != null).map((value) => JSON.stringify(value)))].sort();
}

function valuesAt(node: unknown, [segment, ...rest]: string[]): unknown[] {
  if (Array.isArray(node)) return node.flatMap((each) => valuesAt(each, [...(segment ? [segment] : []), ...rest]));
  if (segment === undefined) return [node];
  return isJson(node) ? valuesAt(node[segment], rest) : [];
}
