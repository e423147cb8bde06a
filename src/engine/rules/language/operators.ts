import { ObjectId } from 'bson';
import { RE2JS } from 're2js';
import { dayMs } from '#base/common/durations';
import { instantMs } from './instantMs';

/** What an operator may use beside its two values. */
export interface OperatorContext {
  /** The activity's date, from which `withinDays` counts; milliseconds since 1970. */
  dateMs: number;
  /** The ids and codes of the records in a named list; undefined for an unknown list. */
  listed(name: string): ReadonlySet<string> | undefined;
}

/** Compares the value of a fact with the value of a condition. */
export type Compare = (fact: unknown, value: unknown, context: OperatorContext) => boolean;

/** An operator: its comparison, and the kinds of values it accepts, for checks and documentation. */
export interface OperatorDefinition {
  description: string;
  /** The kind of fact that the operator accepts. */
  fact: 'any' | 'single' | 'ordered' | 'date' | 'text' | 'list';
  /** The kind of `value` that the operator needs. */
  value: 'same' | 'listOfSame' | 'element' | 'pair' | 'days' | 'text' | 'regex' | 'boolean' | 'listName';
  compare: Compare;
}

/** Most characters of a regular expression of `matches`. */
export const regexMax = 256;

/** Most steps of a compiled regular expression: the worst-case cost of matching one character of a string. */
export const regexSizeMax = 2000;

/** The operators of json-rules-engine, which here compare dates as instants, and our own (docs/design/rules.md). */
export const operators: Record<string, OperatorDefinition> = {
  equal: { description: 'is', fact: 'single', value: 'same', compare: same },
  notEqual: { description: 'is not', fact: 'single', value: 'same', compare: (a, b) => !same(a, b) },
  in: { description: 'is one of', fact: 'single', value: 'listOfSame', compare: (a, b) => indexIn(b, a) > -1 },
  notIn: { description: 'is none of', fact: 'single', value: 'listOfSame', compare: (a, b) => indexIn(b, a) === -1 },
  contains: { description: 'has the element', fact: 'list', value: 'element', compare: listed },
  doesNotContain: {
    description: 'does not have the element',
    fact: 'list',
    value: 'element',
    compare: (a, b) => Array.isArray(a) && indexIn(a, b) === -1,
  },
  lessThan: { description: 'is below', fact: 'ordered', value: 'same', compare: ordered((a, b) => a < b) },
  lessThanInclusive: { description: 'is at most', fact: 'ordered', value: 'same', compare: ordered((a, b) => a <= b) },
  greaterThan: { description: 'is above', fact: 'ordered', value: 'same', compare: ordered((a, b) => a > b) },
  greaterThanInclusive: {
    description: 'is at least',
    fact: 'ordered',
    value: 'same',
    compare: ordered((a, b) => a >= b),
  },
  before: {
    description: 'is earlier than',
    fact: 'date',
    value: 'same',
    compare: (a, b) => instantMs(a) < instantMs(b),
  },
  after: { description: 'is later than', fact: 'date', value: 'same', compare: (a, b) => instantMs(a) > instantMs(b) },
  between: { description: 'lies in the range, both ends included', fact: 'ordered', value: 'pair', compare: between },
  withinDays: {
    description:
      "is at most so many days (of 24 hours) before or after the activity's date; with `direction` `past` only before it, with `future` only after it, both with it",
    fact: 'date',
    value: 'days',
    compare: (a, value, { dateMs }) => {
      const { days, direction } = readWithinDays(value) ?? {};
      const ahead = instantMs(a) - dateMs;
      if (days === undefined || (direction === 'past' && ahead > 0) || (direction === 'future' && ahead < 0))
        return false;
      return Math.abs(ahead) <= days * dayMs;
    },
  },
  startsWith: {
    description: 'begins with the text',
    fact: 'text',
    value: 'text',
    compare: (a, b) => typeof a === 'string' && typeof b === 'string' && a.startsWith(b),
  },
  matches: {
    description: 'holds a match of the regular expression (RE2 syntax; anchor with ^ and $)',
    fact: 'text',
    value: 'regex',
    compare: (a, b) => typeof a === 'string' && typeof b === 'string' && compiled(b).matcher(a).find(),
  },
  inNamedList: {
    description: 'is a record of the named list: its id, SKU, location number, partner code or loyalty id',
    fact: 'text',
    value: 'listName',
    compare: (a, name, { listed }) =>
      typeof a === 'string' && typeof name === 'string' && listed(name)?.has(a) === true,
  },
  isEmpty: {
    description: 'is missing, null, or an empty text, list or object',
    fact: 'any',
    value: 'boolean',
    compare: (a, b) => isEmpty(a) === b,
  },
};

/** The directions of `withinDays`. */
export const directions = ['past', 'future', 'both'] as const;

/** The value of `withinDays`: a number of days, or with a direction. Undefined for anything else. */
export function readWithinDays(value: unknown): { days: number; direction: (typeof directions)[number] } | undefined {
  if (typeof value === 'number') return { days: value, direction: 'both' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { days, direction = 'both', ...others }: Readonly<Record<string, unknown>> = { ...value };
  const known = directions.find((each) => each === direction);
  return typeof days === 'number' && known && Object.keys(others).length === 0 ? { days, direction: known } : undefined;
}

/** json-rules-engine's decorators: `someFact:equal` and so on. */
export const decorators: Record<string, string> = {
  someFact: 'some element of the fact',
  everyFact: 'every element of the fact; true of an empty or missing list, like `not:someFact:not:`',
  someValue: 'some element of the value',
  everyValue: 'every element of the value',
  swap: 'fact and value exchanged',
  not: 'not',
};

/** What `everyFact:` says. Of no elements every one is true, whether the list is empty or a path finds none. */
export function holdsForEvery(fact: unknown, holds: (element: unknown) => boolean): boolean {
  if (fact === undefined || fact === null) return true;
  return Array.isArray(fact) && fact.every(holds);
}

/**
 * The linear-time regular expression of a pattern.
 * @throws RE2JSException when the pattern is malformed
 */
export function compiled(pattern: string): RE2JS {
  const known = regexes.get(pattern);
  if (known) return known;
  if (regexes.size >= regexesMax) regexes.clear();
  const regex = RE2JS.compile(pattern);
  regexes.set(pattern, regex);
  return regex;
}

const regexesMax = 1000;
const regexes = new Map<string, RE2JS>();

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' && typeof b !== 'object') return a === b;
  return a instanceof Date || b instanceof Date ? instantMs(a) === instantMs(b) : a === b;
}

function listed(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && indexIn(a, b) > -1;
}

/** `indexOf` in a list or string; dates are compared as instants. Throws for anything else, like json-rules-engine. */
function indexIn(values: unknown, value: unknown): number {
  if (typeof values === 'string') return values.indexOf(String(value));
  if (!Array.isArray(values)) throw new TypeError('in and notIn need a list');
  if (value instanceof Date || values.some((each) => each instanceof Date)) {
    return values.findIndex((each) => same(each, value));
  }
  return values.indexOf(value);
}

/** Like in json-rules-engine, the result is false when the fact does not begin with a number. */
function ordered(compare: (a: number, b: number) => boolean): Compare {
  const asNumbers: Compare = (a, b) => {
    if (Number.isNaN(Number.parseFloat(a as string))) return false;
    return compare(a as number, b as number);
  };
  return (a, b, context) => {
    if (typeof a === 'number' && typeof b === 'number') return compare(a, b);
    if (a instanceof Date || b instanceof Date) return compare(instantMs(a), instantMs(b));
    if (typeof a !== 'object' && typeof b !== 'object') return asNumbers(a, b, context);
    try {
      return asNumbers(a, b, context);
    } catch {
      // An object with a field named toString cannot be converted to a number.
      return false;
    }
  };
}

function between(a: unknown, range: unknown): boolean {
  if (!Array.isArray(range) || range.length !== 2) return false;
  const [low, high]: unknown[] = range;
  if (typeof a === 'number') return typeof low === 'number' && typeof high === 'number' && a >= low && a <= high;
  const ms = instantMs(a);
  return ms >= instantMs(low) && ms <= instantMs(high);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (value instanceof Date || typeof value !== 'object') return false;
  return Object.keys(value).length === 0;
}

/** A record with its ObjectIds as hexadecimal strings, because rules compare ids as strings. */
export function idsAsText(value: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...value };
  for (const key in result) {
    const field = result[key];
    if (field instanceof ObjectId) result[key] = field.toHexString();
  }
  return result;
}
