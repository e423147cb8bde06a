import type { RuleGroupType, RuleType } from 'react-querybuilder';

/** A condition of a rule as JSON has it. */
export type Condition = Readonly<Record<string, unknown>>;

/** What a comparison compares, as the name of a field of the query builder: fact, path and params as JSON. */
export interface FieldName {
  fact: string;
  path?: string;
  params?: unknown;
}

/** A comparison with the parts that the query builder does not know, such as `name` and `priority`. */
export type ComparisonRow = RuleType<string, string, unknown> & { more?: Condition };

/** A group with the parts that the query builder does not know. */
export type ConditionGroup = RuleGroupType<ComparisonRow, 'all' | 'any'> & {
  more?: Condition;
  /** Parts of the `not` around it. */
  notMore?: Condition;
  /** The file has `not` directly around its only part, without `all` between them. */
  isBare?: boolean;
};

/** The operator of a row with a named condition. */
export const holds = 'holds';

/** Conditions as the query builder shows them; undefined when they have a form that it cannot show. */
export function queryOf(conditions: unknown): ConditionGroup | undefined {
  try {
    const shown = partOf(conditions ?? { all: [] });
    return isGroup(shown) ? shown : { combinator: 'all', rules: [shown], isBare: true };
  } catch (error) {
    if (error instanceof NotShown) return undefined;
    throw error;
  }
}

/** The conditions of a query. Unchanged parts stay as they were. */
export function conditionsOf(query: ConditionGroup): Condition {
  const [only] = query.rules;
  if (!query.not && query.isBare && query.rules.length === 1 && only) return conditionOf(only);
  return groupOf(query);
}

/** The name of a field of the query builder. */
export function fieldName({ fact, path, params }: FieldName): string {
  return JSON.stringify({ fact, path, params });
}

/** The meaning of a field of the query builder: a fact, or the name of a named condition. */
export function namedField(field: string): FieldName | { condition: string } {
  return JSON.parse(field) as FieldName | { condition: string };
}

/** Thrown for conditions that the query builder cannot show. */
class NotShown extends Error {}

function partOf(condition: unknown): ConditionGroup | ComparisonRow {
  if (!isObject(condition)) throw new NotShown();
  for (const combinator of ['all', 'any'] as const) {
    if (!(combinator in condition)) continue;
    const { [combinator]: parts, ...more } = condition;
    if (!Array.isArray(parts)) throw new NotShown();
    return { combinator, rules: parts.map(partOf), ...(hasAny(more) ? { more } : {}) };
  }
  if ('not' in condition) return negated(condition);
  if ('condition' in condition) {
    const { condition: name, ...more } = condition;
    if (typeof name !== 'string') throw new NotShown();
    return {
      field: JSON.stringify({ condition: name }),
      operator: holds,
      value: null,
      ...(hasAny(more) ? { more } : {}),
    };
  }
  const { fact, path, params, operator, value, ...more } = condition;
  const isPath = path === undefined || typeof path === 'string';
  if (typeof fact !== 'string' || typeof operator !== 'string' || !isPath || !('value' in condition))
    throw new NotShown();
  const field = fieldName({ fact, ...(path === undefined ? {} : { path }), params });
  return { field, operator, value, ...(hasAny(more) ? { more } : {}) };
}

function negated({ not, ...notMore }: Condition): ConditionGroup {
  const part = partOf(not);
  const more = hasAny(notMore) ? { notMore } : {};
  if (isGroup(part) && !part.not) return { ...part, not: true, ...more };
  return { combinator: 'all', not: true, isBare: true, rules: [part], ...more };
}

function conditionOf(part: ConditionGroup | ComparisonRow): Condition {
  if (isGroup(part)) return groupOf(part);
  const { field, operator, value, more } = part;
  const named = namedField(field);
  if ('condition' in named) return { condition: named.condition, ...more };
  const { fact, path, params } = named;
  return {
    fact,
    ...(path === undefined ? {} : { path }),
    ...(params === undefined ? {} : { params }),
    operator,
    value,
    ...more,
  };
}

function groupOf({ combinator, rules, not, isBare, more, notMore }: ConditionGroup): Condition {
  const parts = (rules as (ConditionGroup | ComparisonRow)[]).map(conditionOf);
  const [only] = parts;
  const inner = isBare && not && parts.length === 1 && only ? only : { [combinator]: parts, ...more };
  return not ? { not: inner, ...notMore } : inner;
}

function isGroup(part: ConditionGroup | ComparisonRow): part is ConditionGroup {
  return 'rules' in part;
}

function hasAny(more: Condition): boolean {
  return Object.keys(more).length > 0;
}

function isObject(value: unknown): value is Condition {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
