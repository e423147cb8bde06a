import { malformed, type ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { FieldTable } from './fields';
import type { FilterBudget } from './filterBudget';
import { queryLimits } from './queryLimits';
import { quote } from './quote';

/** The state of parsing at one place of a filter. */
export interface FilterScope {
  fields: FieldTable;
  budget: FilterBudget;
  /** The argument and the path, for messages. */
  where: string;
  /** The number of nested objects, including the present one. */
  depth: number;
  /** Texts that begin like a shorthand are compared as they are. Otherwise they are refused. */
  allowsShorthandTexts: boolean;
}

/**
 * Makes the scope of an object within the present one.
 * @throws ServiceError 1210 when the filter nests too deep
 */
export function deeper(scope: FilterScope): FilterScope {
  if (scope.depth >= queryLimits.depthMax) {
    throw malformed(message('query.tooDeep', { where: scope.where, max: queryLimits.depthMax }));
  }
  return { ...scope, depth: scope.depth + 1 };
}

/** Makes the error for a refused operator, naming the operators that are allowed here. */
export function refusedOperator(name: string, where: string, allowed: readonly string[]): ServiceError {
  return malformed(message('query.operatorNotAllowed', { where, name: quote(name), allowed: allowed.join(', ') }));
}
