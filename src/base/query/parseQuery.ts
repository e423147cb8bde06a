import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { SearchFilter } from '#base/schema/resource';
import type { Field, FieldTable } from './fields';
import type { Filter } from './filter';
import { type FilterBudget, filterBudget } from './filterBudget';
import { type Page, parsePage } from './page';
import { parseCondition } from './parseCondition';
import { fieldFilter, parseElement, parseFilter, requireField } from './parseFilter';
import { parseShorthand } from './parseShorthand';
import { queryLimits } from './queryLimits';
import { type Projection, parseSelect, refusePositions } from './select';
import { defaultSort, parseSort, type Sort } from './sort';
import { untypedShorthand } from './untyped';

/** The checked and cast arguments of a read. Everything in it can be given to MongoDB unchanged. */
export interface ReadRequest extends Page {
  filter: Filter;
  /** The fields to answer; absent: all fields. */
  select?: Projection;
  sort: Sort;
  /** Fields whose distinct values to answer; absent: the answer has records. */
  distinct?: readonly Field[];
  /** References to replace by the records that they name. */
  populate: readonly Field[];
  /** True when it has a regular expression that no index key replaces. */
  hasRegex: boolean;
}

/** The arguments with a fixed meaning. Every other argument names a field. */
export const queryArguments = ['query', 'select', 'distinct', 'populate', 'skip', 'sort', 'limit', 'after'] as const;

const reserved: ReadonlySet<string> = new Set(queryArguments);

export interface QueryOptions {
  /** Refuses a read without `query` or with an empty one; aggregates need this. */
  isQueryRequired?: boolean;
  /** Makes the filter of the argument `search`; absent: `search` is no argument of this read. */
  search?: SearchFilter | undefined;
  /** The greatest `skip`; default {@link queryLimits.skipMax}. */
  skipMax?: number | undefined;
}

/**
 * Parses the arguments of a collection read (SPEC "Advanced query arguments") against the fields of a resource. Pure. A
 * field with the name of an argument can be used only in `query`.
 * @throws ServiceError 1210 saying which argument is refused and why
 */
export function parseQuery(args: Record<string, string>, fields: FieldTable, options: QueryOptions = {}): ReadRequest {
  const budget = filterBudget();
  const filter = parseWholeFilter(args, fields, { ...options, budget });
  const distinct = args.distinct === undefined ? undefined : parseDistinct(args.distinct, fields);
  const sort = args.sort === undefined ? defaultSort : parseSort(args.sort, fields);
  const limitDefault = distinct ? queryLimits.distinctMax : queryLimits.limitDefault;
  return {
    filter,
    ...(args.select === undefined ? {} : { select: parseSelect(args.select, fields) }),
    sort,
    ...parsePage(args, { sort, distinct, fields, limitDefault, skipMax: options.skipMax }),
    ...(distinct ? { distinct } : {}),
    populate: args.populate === undefined ? [] : parsePopulate(args.populate, fields),
    hasRegex: budget.hasUnkeyedRegex(),
  };
}

interface FilterNeeds extends QueryOptions {
  budget: FilterBudget;
}

function parseWholeFilter(args: Record<string, string>, fields: FieldTable, needs: FilterNeeds): Filter {
  const { isQueryRequired = false, search, budget } = needs;
  const filters = [parseFilter(args.query, fields, { budget, isRequired: isQueryRequired })];
  for (const [name, text] of Object.entries(args)) {
    if (reserved.has(name)) continue;
    const isSearch = name === 'search' && search !== undefined;
    filters.push(isSearch ? parseSearch(text, search) : parseFieldArgument(name, text, fields, budget));
  }
  const conditions = filters.filter((filter) => Object.keys(filter).length > 0);
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}

function parseSearch(text: string, search: SearchFilter): Filter {
  if (text.trim() === '' || text.length > queryLimits.searchMax) {
    throw malformed(message('query.searchLength', { max: queryLimits.searchMax }));
  }
  return search(text);
}

function parseFieldArgument(name: string, text: string, fields: FieldTable, budget: FilterBudget): Filter {
  const field = requireField(fields, name, 'Arguments');
  budget.spendNode();
  const scope = { fields, budget, where: name, depth: 1, allowsShorthandTexts: false };
  const shorthand = parseShorthand(text);
  const conditions = field.kind === 'free' ? untypedShorthand(shorthand) : [shorthand];
  const branches = conditions.map((each) => fieldFilter(field, parseCondition(field, each, scope, parseElement)));
  return branches.length > 1 ? { $or: branches } : (branches[0] ?? {});
}

function parseDistinct(text: string, fields: FieldTable): Field[] {
  const named = namedFields('distinct', text, fields, queryLimits.distinctFieldsMax);
  refusePositions('distinct', named);
  const object = named.find(({ kind }) => kind === 'object');
  if (object) throw malformed(message('query.distinctObjects', { path: object.path }));
  return named;
}

function parsePopulate(text: string, fields: FieldTable): Field[] {
  const named = namedFields('populate', text, fields, queryLimits.populateMax);
  refusePositions('populate', named);
  const other = named.find(({ ref }) => ref === undefined);
  if (other) throw malformed(message('query.populateNoReference', { path: other.path }));
  return named;
}

function namedFields(argument: string, text: string, fields: FieldTable, max: number): Field[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) throw malformed(message('query.oneFieldAtLeast', { name: argument }));
  if (names.length > max) throw malformed(message('query.tooManyFields', { argument, max }));
  return [...new Set(names)].map((name) => requireField(fields, name, argument));
}
