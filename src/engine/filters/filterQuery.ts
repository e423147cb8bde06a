import type { Filter } from '#base/query/filter';
import type { Criteria, Criterion } from './filterCriteria';
import { wildcardSource } from './wildcardSource';

/**
 * Makes the MongoDB query of a filter, to be used within an org. It is empty when the filter restricts nothing.
 * @param listed the query of the named list; required when the criteria name one
 */
export function filterQuery(criteria: Criteria | undefined, listed?: Filter): Filter {
  if (!criteria) return {};
  const conditions = [...criteria.criteria.map(criterionFilter), ...(listed ? [listed] : [])];
  const joined = conditions.length === 1 ? (conditions[0] ?? {}) : { [criteria.isAny ? '$or' : '$and']: conditions };
  return criteria.isComplement ? { $nor: [joined] } : joined;
}

function criterionFilter({ path, isIncluded, values, patterns }: Criterion): Filter {
  const branches = [
    ...(values.length > 0 ? [{ [path]: { $in: values } }] : []),
    ...patterns.map((text) => ({ [path]: { $regex: wildcardSource(text), $options: 'is' } })),
  ];
  if (!isIncluded) return { $nor: branches };
  return branches.length === 1 ? (branches[0] ?? {}) : { $or: branches };
}
