import { malformed, type ServiceError } from '../common/errors';
import type { FieldTable } from './fields';
import type { FilterBudget } from './filterBudget';
import { queryLimits } from './queryLimits';
import { quote } from './quote';

/** Where the reading of a filter stands. */
export interface FilterScope {
  fields: FieldTable;
  budget: FilterBudget;
  /** Argument and path, for messages. */
  where: string;
  /** Objects around the present one, itself included. */
  depth: number;
}

/** The scope of an object within the present one. @throws ServiceError 1210 past the deepest */
export function deeper(scope: FilterScope): FilterScope {
  if (scope.depth >= queryLimits.depthMax) {
    throw malformed(`${scope.where} nests deeper than ${queryLimits.depthMax} objects; write the filter flatter`);
  }
  return { ...scope, depth: scope.depth + 1 };
}

/** The refusal of an operator, with those that may stand in its place. */
export function refusedOperator(name: string, where: string, allowed: readonly string[]): ServiceError {
  return malformed(`${where}: operator ${quote(name)} is not allowed here; use one of ${allowed.join(', ')}`);
}
