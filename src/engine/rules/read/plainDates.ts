import type { LocalDay } from '#base/calendar/localCalendar';
import { dayOfText, daysLater, isDayText, startOfDay } from '#base/calendar/windows';
import type { FactDefinition } from '../format/factDefinition';
import { type FactType, typeOfRef } from '../format/factType';
import type { Comparison, Condition } from '../language/condition';

/** Comparisons with a plain date, and what they became. Each is made once, so that rules can share it. */
const resolved = new WeakMap<Comparison, Comparison>();

/** The comparison that {@link withPlainDates} made of a comparison as written; without plain dates, the same. */
export function resolvedComparison(comparison: Comparison): Comparison {
  return resolved.get(comparison) ?? comparison;
}

/**
 * The conditions with plain dates, such as `2026-10-01`, as instants: a plain date is the whole day in the time zone. So
 * `before` compares with its first instant, `after` with its last one, and `equal` asks whether a date is within it.
 * Only comparisons of facts that are instants change.
 */
export function withPlainDates(
  condition: Condition,
  facts: Record<string, FactDefinition>,
  timezone: string,
): Condition {
  const each = (children: readonly Condition[]) => children.map((child) => withPlainDates(child, facts, timezone));
  if ('all' in condition) return { ...condition, all: each(condition.all) };
  if ('any' in condition) return { ...condition, any: each(condition.any) };
  if ('not' in condition) return { ...condition, not: withPlainDates(condition.not, facts, timezone) };
  const known = resolved.get(condition);
  if (known) return known;
  // Few comparisons have a plain date, and to find the type of a fact takes long.
  const isPlain = hasDay(condition.value) && isOfInstants(condition, facts);
  const made = isPlain ? withInstants(condition, timezone) : condition;
  if (made !== condition) resolved.set(condition, made);
  return made;
}

/** Whether a value is a plain date, or a list with one, such as that of `between`. */
function hasDay(value: unknown): boolean {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.some((each) => typeof each === 'string' && isDayText(each));
}

/** Whether the fact, or each element of it, is an instant. A birth date is not: it is a plain date itself. */
function isOfInstants(comparison: Comparison, facts: Record<string, FactDefinition>): boolean {
  const type = typeOfRef(facts, comparison);
  if (!('kind' in type)) return false;
  const one: FactType | undefined = type.kind === 'list' ? type.item : type;
  return one?.kind === 'date' && one.isDay !== true;
}

/** The first and the last instant of a plain date. */
interface Day {
  first: string;
  last: string;
}

/** What each operator becomes for a plain date. */
const forms: Readonly<Record<string, (day: Day) => { operator: string; value: unknown }>> = {
  before: ({ first }) => ({ operator: 'before', value: first }),
  after: ({ last }) => ({ operator: 'after', value: last }),
  lessThan: ({ first }) => ({ operator: 'lessThan', value: first }),
  lessThanInclusive: ({ last }) => ({ operator: 'lessThanInclusive', value: last }),
  greaterThan: ({ last }) => ({ operator: 'greaterThan', value: last }),
  greaterThanInclusive: ({ first }) => ({ operator: 'greaterThanInclusive', value: first }),
  equal: ({ first, last }) => ({ operator: 'between', value: [first, last] }),
  notEqual: ({ first, last }) => ({ operator: 'not:between', value: [first, last] }),
};

function withInstants(comparison: Comparison, timezone: string): Comparison {
  const { operator, value } = comparison;
  const decorators = operator.split(':');
  const base = decorators.pop() ?? '';
  if (decorators.some((name) => !['not', 'someFact', 'everyFact'].includes(name))) return comparison;
  if (base === 'between' && Array.isArray(value)) {
    const [from, to]: unknown[] = value;
    return { ...comparison, value: [parseDay(from, timezone)?.first ?? from, parseDay(to, timezone)?.last ?? to] };
  }
  const form = Object.hasOwn(forms, base) ? forms[base] : undefined;
  const day = parseDay(value, timezone);
  const made = day && form?.(day);
  return made ? { ...comparison, ...made, operator: [...decorators, made.operator].join(':') } : comparison;
}

function parseDay(value: unknown, timezone: string): Day | undefined {
  if (typeof value !== 'string' || !isDayText(value)) return undefined;
  const day = dayOfText(value);
  const last = new Date(lastMoment(day, timezone).getTime() - 1);
  return { first: startOfDay(day, timezone).toISOString(), last: last.toISOString() };
}

/** Later instants have years of more than four digits, which no date may have. */
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** The end of a day; not later than the last instant of the year 9999 in UTC. */
function lastMoment(day: LocalDay, timezone: string): Date {
  return new Date(Math.min(startOfDay(daysLater(day, 1), timezone).getTime(), lastInstant));
}

/** The dates between which a rule holds. A plain `from` is the beginning of its day, a plain `to` the end of its day. */
export function effectiveIn<T extends { from?: Date; to?: Date }>(
  parsed: T | undefined,
  written: unknown,
  timezone: string,
): T | undefined {
  if (!parsed) return undefined;
  const { from, to }: Readonly<Record<string, unknown>> = Object(written);
  return {
    ...parsed,
    ...(typeof from === 'string' && isDayText(from) ? { from: startOfDay(dayOfText(from), timezone) } : {}),
    ...(typeof to === 'string' && isDayText(to) ? { to: lastMoment(dayOfText(to), timezone) } : {}),
  };
}
