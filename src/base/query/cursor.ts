import { malformed } from '#base/common/errors';
import { jsonIn } from '#base/common/jsonIn';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { castValue } from './castValue';
import type { Field, FieldTable } from './fields';
import type { Filter } from './filter';
import { queryLimits } from './queryLimits';
import type { Sort } from './sort';

/**
 * Where a page begins past the greatest `skip`: after the record with these values of the order's keys, or, where the
 * values cannot tell it, after a number of records.
 */
export type Position = { key: readonly unknown[] } | { skip: number };

/** What a position belongs to: the order of a list, and its distinct fields. */
export interface CursorList {
  sort: Sort;
  distinct?: readonly Field[] | undefined;
}

/**
 * Makes the argument `after`, which continues a list at a position.
 * @throws ServiceError 1210 when the values are too long for an argument
 */
export function writeCursor(list: CursorList, position: Position): string {
  const cursor = Buffer.from(JSON.stringify({ of: cursorOrder(list), ...position })).toString('base64url');
  if (cursor.length <= queryLimits.cursorMax) return cursor;
  throw malformed(message('query.cursorTooLong'));
}

/**
 * Reads the argument `after` of a list.
 * @throws ServiceError 1210 when it is no cursor that {@link writeCursor} made for the same list
 */
export function readCursor(text: string, list: CursorList, fields: FieldTable): Position {
  const parsed = text.length > queryLimits.cursorMax ? undefined : jsonIn(Buffer.from(text, 'base64url').toString());
  if (!isPlainObject(parsed) || parsed.of !== cursorOrder(list)) throw unknownCursor();
  const { skip, key } = parsed;
  if (isSkip(skip)) return { skip };
  const keyed = keyFields(list, fields);
  if (!keyed || !Array.isArray(key) || key.length !== keyed.length) throw unknownCursor();
  return { key: keyed.map((field, n) => castValue(field, key[n], `after: ${field.path}`)) };
}

function unknownCursor() {
  return malformed(message('query.cursor'));
}

function cursorOrder({ sort, distinct = [] }: CursorList): string {
  const names = Object.entries(sort).map(([path, direction]) => (direction === 1 ? path : `-${path}`));
  return [...names, ...distinct.map(({ path }) => `distinct ${path}`)].join();
}

function isSkip(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

/**
 * The fields of the order's keys. undefined when their values cannot tell a position: MongoDB orders a list by one of
 * its elements, and it has an order of its own for values without a type.
 */
export function keyFields({ sort, distinct }: CursorList, fields: FieldTable): Field[] | undefined {
  if (distinct) return undefined;
  const keyed = Object.keys(sort).flatMap((path) => fields.find(path) ?? []);
  return keyed.every(isPlain) && keyed.length === Object.keys(sort).length ? keyed : undefined;
}

function isPlain({ kind, arrays, hasPosition }: Field): boolean {
  return kind !== 'free' && kind !== 'object' && arrays.length === 0 && !hasPosition;
}

/** Makes the filter of the records after one with these values, in this order. A missing value counts as null. */
export function afterKey(sort: Sort, key: readonly unknown[]): Filter {
  const entries = Object.entries(sort);
  const branches = entries.flatMap(([path, direction], n): Filter[] => {
    const beyond = beyondValue(direction, key[n]);
    const same = entries.slice(0, n).map(([before], at) => [before, { $eq: key[at] }] as const);
    return beyond ? [{ ...Object.fromEntries(same), [path]: beyond }] : [];
  });
  return branches.length === 1 ? (branches[0] ?? {}) : { $or: branches };
}

/** null comes before every value. `$gt` and `$lt` compare only values of one type, so they leave it out. */
function beyondValue(direction: 1 | -1, value: unknown): Filter | undefined {
  if (direction === 1) return value === null ? { $ne: null } : { $gt: value };
  return value === null ? undefined : { $not: { $gte: value } };
}
