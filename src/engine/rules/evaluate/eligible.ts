import Big from 'big.js';
import { compileParse } from '#base/schema/parse';
import { compileFilter, type FilterMatch } from '#engine/filters/matchesFilter';
import type { LineItem } from '#records/activities/activity';
import { filterShape, type RecordFilter } from '#records/catalog/filterShape';
import type { Enriched } from '../format/enriched';
import type { FactRef } from '../language/factRef';
import type { ResolvedLists } from './resolvedLists';

/** The records from which eligible line items are found. */
type Seen = Pick<Enriched, 'products'>;

/** The sums of the eligible line items of an activity. */
export interface Eligible {
  amount: number;
  quantity: number;
}

/**
 * Adds up the line items whose product matches the filter of the params; without a filter, all line items. Products
 * that are excluded from earning never count. A line item with an unknown product is matched by its SKU only.
 */
export function eligible(
  lineItems: readonly LineItem[],
  seen: Seen,
  lists: ResolvedLists,
  params: FactRef['params'],
): Eligible {
  const isEligible = eligibleBy(seen, lists, params);
  let amount = new Big(0);
  let quantity = 0;
  for (const item of lineItems) {
    if (!isEligible(item)) continue;
    amount = amount.plus(item.itemAmount ?? 0);
    quantity += item.quantity ?? 0;
  }
  return { amount: amount.toNumber(), quantity };
}

/** Returns a function that tells whether {@link eligible} counts a line item. */
export function eligibleBy({ products }: Seen, lists: ResolvedLists, params: FactRef['params']) {
  const matches = compiledFilter(params);
  return (item: LineItem): boolean => {
    const product = products.get(item.itemSKU ?? '') ?? skuOnly(item);
    return product.excludeFromEarning !== true && matches(product, { namedLists: lists.byId });
  };
}

function skuOnly({ itemSKU }: LineItem): Record<string, unknown> {
  return itemSKU === undefined ? {} : { sku: itemSKU };
}

const parseFilter = compileParse(filterShape);
const everything: FilterMatch = () => true;

/** Compiled filters by params. Params are part of a rule set and never change, so each filter is compiled once. */
const compiled = new WeakMap<object, FilterMatch>();

function compiledFilter(params: FactRef['params']): FilterMatch {
  if (!params?.filter) return everything;
  const known = compiled.get(params);
  if (known) return known;
  const match = compileFilter('Product', filterOfParams(params) ?? {});
  compiled.set(params, match);
  return match;
}

/** The parsed product filter of params; undefined when there is none. */
export function filterOfParams(params: FactRef['params']): RecordFilter | undefined {
  return params?.filter ? parseFilter(structuredClone(params.filter)) : undefined;
}
