import { ObjectId } from 'bson';
import { isPlainObject } from '#base/common/plainObject';
import { parseInstant } from '#base/schema/instant';
import { castBoolean, castNumber } from './castValue';
import { operandKind, typeNames } from './operators';
import type { ShorthandCondition } from './parseShorthand';

/*
 * Conditions for fields without a defined type, such as those below `ext` and `result.data`. An answer shows ids and
 * dates as texts, so a text may mean any of the three.
 */

type Condition = Record<string, unknown>;

/**
 * Makes the conditions of a shorthand for a field without a defined type. A string that can be a number or a boolean is
 * compared as both, so `ext.a=3` matches 3 and "3".
 * @returns the conditions, of which one needs to be met
 */
export function untypedShorthand(condition: ShorthandCondition): Condition[] {
  const [[operator, text] = []] = Object.entries(condition);
  if (operator === undefined || text === undefined || operator === '$regex') return [condition];
  const values = untypedValues(text);
  if (operator === '$eq' || operator === '$ne') {
    return values.length === 1 ? [condition] : [{ [operator === '$eq' ? '$in' : '$nin']: values }];
  }
  // Booleans have no order.
  return values.filter((value) => typeof value !== 'boolean').map((value) => ({ [operator]: value }));
}

/**
 * Returns all values that a string without a defined type may mean: the string, and the number or boolean that it
 * represents.
 */
export function untypedValues(text: string): unknown[] {
  return [text, castNumber(text), castBoolean(text)].filter((value) => value !== undefined);
}

/**
 * Makes the filter of a parsed condition for a field without a defined type. Every string in the form of an id or a
 * date is compared with ids or dates too.
 */
export function untypedFilter(path: string, condition: Condition): Condition {
  if (!isAmbiguous(condition)) return { [path]: condition };
  const plain: Condition = {};
  const filters: Condition[] = [];
  for (const [operator, value] of Object.entries(condition)) {
    const filter = filterMakers[operator]?.(path, value);
    if (filter) filters.push(filter);
    else plain[operator] = value;
  }
  if (Object.keys(plain).length > 0) filters.push({ [path]: plain });
  const [only, ...others] = filters;
  return only && others.length === 0 ? only : { $and: filters };
}

/** Tells whether a value has a string that may also mean an id or a date. */
function isAmbiguous(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isAmbiguous);
  return meanings(value).length > 1;
}

/** A value, and the id and the date that are shown as it. */
function meanings(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  return [value, parseObjectId(value), parseInstant(value)].filter((each) => each !== undefined);
}

function parseObjectId(text: string): ObjectId | undefined {
  return /^[0-9a-f]{24}$/i.test(text) ? new ObjectId(text) : undefined;
}

/** Makes the filter of one operator; undefined when the operator takes no values, or none in this form. */
type FilterMaker = (path: string, value: unknown) => Condition | undefined;

const equal: FilterMaker = (path, value) => ({ [path]: { $in: meanings(value) } });

const among =
  (operator: '$in' | '$nin'): FilterMaker =>
  (path, values) => ({ [path]: { [operator]: toList(values).flatMap(meanings) } });

const ordered =
  (operator: string): FilterMaker =>
  (path, value) => ({ $or: meanings(value).map((each) => ({ [path]: { [operator]: each } })) });

const filterMakers: Record<string, FilterMaker> = {
  $eq: equal,
  $ne: (path, value) => ({ [path]: { $nin: meanings(value) } }),
  $in: among('$in'),
  $nin: among('$nin'),
  $all: (path, values) => (isAmbiguous(values) ? { $and: toList(values).map((each) => equal(path, each)) } : undefined),
  $gt: ordered('$gt'),
  $gte: ordered('$gte'),
  $lt: ordered('$lt'),
  $lte: ordered('$lte'),
  $not: (path, condition) => ({ $nor: [untypedFilter(path, toCondition(condition))] }),
  $elemMatch: (path, condition) => elementFilter(path, toCondition(condition)),
};

/**
 * Makes the filter of `$elemMatch` with operators. An element has one type, so the whole condition is tried three
 * times: with strings, with ids, and with dates.
 */
function elementFilter(path: string, condition: Condition): Condition | undefined {
  const isOfFields = Object.keys(condition).some((name) => operandKind(name) === undefined);
  if (isOfFields || !isAmbiguous(condition)) return undefined;
  const typesToMatch = condition.$type === undefined ? typeNames : [condition.$type].flat();
  const branches = readings.map(({ types, read }) => {
    const $type = types.filter((type) => typesToMatch.includes(type));
    return $type.length > 0 ? [{ [path]: { $elemMatch: { ...withTexts(condition, read), $type } } }] : [];
  });
  return { $or: branches.flat() };
}

type ReadText = (text: string) => unknown;

const shownAsTexts: readonly string[] = ['objectId', 'date'];

/** How strings are read when they are compared with values of some types. */
const readings: readonly { types: readonly string[]; read: ReadText }[] = [
  { types: typeNames.filter((type) => !shownAsTexts.includes(type)), read: (text) => text },
  { types: ['objectId'], read: parseObjectId },
  { types: ['date'], read: parseInstant },
];

/** Operators with strings that are no values. */
const wordy: readonly string[] = ['$regex', '$options', '$type'];

/**
 * A condition with its strings as values of one type. A string that is no such value stays; it matches none of them.
 */
function withTexts(condition: Condition, read: ReadText): Condition {
  return Object.fromEntries(
    Object.entries(condition).map(([name, value]) => [name, wordy.includes(name) ? value : withText(value, read)]),
  );
}

function withText(value: unknown, read: ReadText): unknown {
  if (typeof value === 'string') return read(value) ?? value;
  if (Array.isArray(value)) return value.map((each: unknown) => withText(each, read));
  return isPlainObject(value) ? withTexts(value, read) : value;
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function toCondition(value: unknown): Condition {
  return isPlainObject(value) ? value : {};
}
