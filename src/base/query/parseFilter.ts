import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import type { Field, FieldTable } from './fields';
import type { Filter } from './filter';
import { type FilterBudget, filterBudget } from './filterBudget';
import { deeper, type FilterScope, refusedOperator } from './filterScope';
import { conditionOnField, conjunction } from './keyedCondition';
import { logicalOperators, shorthands } from './operators';
import { parseCondition } from './parseCondition';
import { parseJsonArgument } from './parseJsonArgument';
import { quote } from './quote';
import { untypedFilter } from './untyped';

export interface FilterOptions {
  /** Name of the argument in messages; default `query`. */
  name?: string;
  /** Refuses a missing or empty filter. */
  isRequired?: boolean;
  /** The shared budget of several filters of one read. */
  budget?: FilterBudget;
  /** Accepts strings that begin like a shorthand, and compares them literally. Default: they are refused. */
  allowsShorthandTexts?: boolean;
}

/**
 * Parses a filter given as JSON text. Only allowed fields and operators pass, and every value is cast to the type of
 * its field. All endpoints that take filters use the same parser: list, count, distinct, aggregates, unlink and a
 * cancel's `validate`.
 * @throws ServiceError 1210 naming the field, operator or value that is refused
 */
export function parseFilter(text: string | undefined, fields: FieldTable, options: FilterOptions = {}): Filter {
  const { name = 'query', isRequired = false, budget = filterBudget(), allowsShorthandTexts = false } = options;
  if (text === undefined && !isRequired) return {};
  if (text === undefined) throw malformed(message('query.filterNeeded', { name }));
  const node = parseJsonArgument(name, text);
  if (isRequired && Object.keys(node).length === 0) throw malformed(message('query.oneFieldAtLeast', { name }));
  return parseTree(node, { fields, budget, where: name, depth: 1, allowsShorthandTexts });
}

function parseTree(node: Record<string, unknown>, scope: FilterScope): Filter {
  const filters = Object.entries(node).map(([key, value]) => {
    scope.budget.spendNode();
    return key.startsWith('$') ? { [key]: parseBranches(key, value, scope) } : parseField(key, value, scope);
  });
  return conjunction(filters);
}

function parseField(key: string, value: unknown, outer: FilterScope): Filter {
  const field = requireField(outer.fields, key, outer.where);
  const scope = { ...outer, where: `${outer.where}.${key}` };
  if (!scope.allowsShorthandTexts) refuseShorthand(value, scope.where);
  return fieldFilter(field, parseCondition(field, value, scope, parseElement));
}

/** Makes the filter of a field and its parsed condition. */
export function fieldFilter(field: Field, condition: Record<string, unknown>): Filter {
  return field.kind === 'free' ? untypedFilter(field.path, condition) : conditionOnField(field, condition);
}

/** `{"name":"~x"}` would find no record, because only `field=value` has shorthands. */
function refuseShorthand(value: unknown, where: string): void {
  if (typeof value !== 'string' || !shorthands.some(({ prefix }) => value.startsWith(prefix))) return;
  const instead = '{"$eq":…} for this text itself';
  throw malformed(message('query.shorthand', { where, name: quote(value), instead }));
}

/**
 * Finds the field of a path.
 * @throws ServiceError 1210 when read arguments may not name it
 */
export function requireField(fields: FieldTable, path: string, where: string): Field {
  const field = fields.find(path);
  if (!field) throw malformed(message('query.unknownField', { where, name: quote(path) }));
  return field;
}

function parseBranches(operator: string, value: unknown, scope: FilterScope): Filter[] {
  if (!logicalOperators.includes(operator)) throw refusedOperator(operator, scope.where, logicalOperators);
  const where = `${scope.where}.${operator}`;
  if (!Array.isArray(value) || value.length === 0) throw malformed(message('query.listOfFilters', { where }));
  return value.map((branch: unknown) => {
    scope.budget.spendNode();
    return parseInner(branch, { ...scope, where });
  });
}

/**
 * Reads the filter that elements of a list must meet.
 * @throws ServiceError 1210
 */
export function parseElement(field: Field, value: unknown, scope: FilterScope): Filter {
  return parseInner(value, { ...scope, fields: scope.fields.below(field) });
}

function parseInner(node: unknown, outer: FilterScope): Filter {
  const scope = deeper(outer);
  if (!isPlainObject(node) || Object.keys(node).length === 0) {
    throw malformed(message('query.filtersNameFields', { where: scope.where }));
  }
  return parseTree(node, scope);
}
