import { malformed } from '../common/errors';
import type { Field, FieldTable } from './fields';
import { type FilterBudget, filterBudget } from './filterBudget';
import { deeper, type FilterScope, refusedOperator } from './filterScope';
import { logicalOperators } from './operators';
import { parseCondition } from './parseCondition';
import { isPlainObject, parseJsonArgument } from './parseJsonArgument';
import { quote } from './quote';

/**
 * A parsed filter that can be given to MongoDB: a new object with only allowed fields and operators, and with cast
 * values.
 */
export type Filter = Record<string, unknown>;

export interface FilterOptions {
  /** Name of the argument in messages; default `query`. */
  name?: string;
  /** Refuses a missing or empty filter. */
  isRequired?: boolean;
  /** The shared budget of several filters of one read. */
  budget?: FilterBudget;
}

/**
 * Parses a filter given as JSON text. Only allowed fields and operators pass, and every value is cast to the type of
 * its field. All endpoints that take filters use the same parser: list, count, distinct, aggregates, unlink and a
 * cancel's `validate`.
 * @throws ServiceError 1210 naming the field, operator or value that is refused
 */
export function parseFilter(text: string | undefined, fields: FieldTable, options: FilterOptions = {}): Filter {
  const { name = 'query', isRequired = false, budget = filterBudget() } = options;
  if (text === undefined && !isRequired) return {};
  if (text === undefined) throw malformed(`${name} is needed: a JSON object that selects records`);
  const node = parseJsonArgument(name, text);
  if (isRequired && Object.keys(node).length === 0) throw malformed(`${name} must name at least one field`);
  return parseTree(node, { fields, budget, where: name, depth: 1 });
}

function parseTree(node: Record<string, unknown>, scope: FilterScope): Filter {
  const filter: Filter = {};
  for (const [key, value] of Object.entries(node)) {
    scope.budget.spendNode();
    if (key.startsWith('$')) filter[key] = parseBranches(key, value, scope);
    else {
      const field = requireField(scope.fields, key, scope.where);
      filter[field.path] = parseCondition(field, value, { ...scope, where: `${scope.where}.${key}` }, parseElement);
    }
  }
  return filter;
}

/**
 * Finds the field of a path.
 * @throws ServiceError 1210 when read arguments may not name it
 */
export function requireField(fields: FieldTable, path: string, where: string): Field {
  const field = fields.find(path);
  if (!field) throw malformed(`${where}: ${quote(path)} is not a field of this resource`);
  return field;
}

function parseBranches(operator: string, value: unknown, scope: FilterScope): Filter[] {
  if (!logicalOperators.includes(operator)) throw refusedOperator(operator, scope.where, logicalOperators);
  const where = `${scope.where}.${operator}`;
  if (!Array.isArray(value) || value.length === 0) throw malformed(`${where} must be a list of at least one filter`);
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
    throw malformed(`${scope.where} takes filters that name at least one field`);
  }
  return parseTree(node, scope);
}
