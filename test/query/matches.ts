import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

/**
 * Tells whether a document meets a query, by the documented meaning of MongoDB's operators; the oracle of the property
 * test, which shares no code with the service. `read` turns a JSON value into what the field stores.
 */
export function matches(doc: Json, query: Json, read: (path: string, value: unknown) => unknown): boolean {
  return Object.entries(query).every(([key, condition]) => {
    const branches = condition as Json[];
    if (key === '$and') return branches.every((branch) => matches(doc, branch, read));
    if (key === '$or') return branches.some((branch) => matches(doc, branch, read));
    if (key === '$nor') return !branches.some((branch) => matches(doc, branch, read));
    return meets(valuesAt(doc, key.split('.')), condition, (value) => read(key, value), read, key);
  });
}

/** Every value at a path, lists on the way being looked through; undefined where there is none. */
function valuesAt(node: unknown, [segment, ...rest]: string[]): unknown[] {
  if (segment === undefined) return [node];
  if (Array.isArray(node)) return node.filter(isObject).flatMap((each) => valuesAt(each, [segment, ...rest]));
  return isObject(node) ? valuesAt(node[segment], rest) : [undefined];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

type Read = (value: unknown) => unknown;
type ReadAt = (path: string, value: unknown) => unknown;

function meets(values: unknown[], condition: unknown, read: Read, readAt: ReadAt, path: string): boolean {
  const isOperators = isObject(condition) && Object.keys(condition)[0]?.startsWith('$');
  if (!isOperators) return equals(values, read(condition));
  return Object.entries(condition).every(([operator, operand]) => {
    if (operator === '$not') return !meets(values, operand, read, readAt, path);
    if (operator === '$options') return true;
    if (operator === '$regex') return matchesRegex(values, operand as string, String(condition.$options ?? ''));
    if (operator === '$elemMatch') return hasElement(values, operand as Json, read, readAt, path);
    return compare(operator, values, operand, read);
  });
}

/** The values themselves and, of lists, the elements. */
const withElements = (values: unknown[]) => values.flatMap((v) => (Array.isArray(v) ? [v, ...v] : [v]));

function equals(values: unknown[], wanted: unknown): boolean {
  if (wanted === null) return withElements(values).some((value) => value === null || value === undefined);
  return withElements(values).some((value) => isDeepStrictEqual(value, wanted));
}

function matchesRegex(values: unknown[], source: string, options: string): boolean {
  return withElements(values).some((value) => typeof value === 'string' && new RegExp(source, options).test(value));
}

function hasElement(values: unknown[], operand: Json, read: Read, readAt: ReadAt, path: string): boolean {
  const isOfValues = Object.keys(operand).every((key) => key.startsWith('$') && !['$and', '$or', '$nor'].includes(key));
  const lists = values.filter(Array.isArray);
  return lists.some((elements: unknown[]) =>
    elements.some((element) =>
      isOfValues
        ? meets([element], operand, read, readAt, path)
        : isObject(element) && matches(element, operand, (inner, value) => readAt(`${path}.${inner}`, value)),
    ),
  );
}

function compare(operator: string, values: unknown[], operand: unknown, read: Read): boolean {
  const operands = Array.isArray(operand) ? operand.map(read) : [];
  if (operator === '$eq') return equals(values, read(operand));
  if (operator === '$ne') return !equals(values, read(operand));
  if (operator === '$in') return operands.some((each) => equals(values, each));
  if (operator === '$nin') return !operands.some((each) => equals(values, each));
  if (operator === '$all') return operands.length > 0 && operands.every((each) => equals(values, each));
  if (operator === '$exists') return values.some((value) => value !== undefined) === operand;
  if (operator === '$size') return values.some((value) => Array.isArray(value) && value.length === operand);
  if (operator === '$type') return withElements(values).some((value) => typeOf(value) === operand);
  return withElements(values).some((value) => isOrdered(operator, value, read(operand)));
}

function typeOf(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function isOrdered(operator: string, value: unknown, bound: unknown): boolean {
  if (typeOf(value) !== typeOf(bound) || value === undefined || value === null) return false;
  const [a, b] = [value, bound].map((each) => (each instanceof Date ? each.getTime() : (each as number)));
  if (a === undefined || b === undefined) return false;
  return { $gt: a > b, $gte: a >= b, $lt: a < b, $lte: a <= b }[operator] ?? false;
}
