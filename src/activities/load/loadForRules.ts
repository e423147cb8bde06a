import type { Connection } from 'mongoose';
import type { Backing } from '../../backing/backing';
import { collectionOf } from '../../db/collections';
import { makeExtDefinitions } from '../../extensions/makeExtDefinitions';
import { productResource } from '../../records/catalog/product';
import type { ExtDefinitions } from '../../records/extensions/extDefinitions';
import type { BatchContext } from '../state/batchContext';
import type { BatchScope } from '../state/batchScope';
import type { NamedRecords, StoredRecord } from '../state/namedRecords';
import { loadLists } from './loadLists';
import { loadMetricSums } from './loadMetricSums';
import { loadSegments } from './loadSegments';

/** Reads what rules of a batch look at beside what every activity needs; nothing when they look at nothing of it. */
export async function loadForRules(
  services: Pick<Backing, 'db' | 'resources' | 'extDefinitions'>,
  scope: BatchScope,
  named: NamedRecords,
): Promise<Pick<BatchContext, 'sums' | 'products' | 'lists' | 'segments' | 'extDefinitions'>> {
  const [sums, products, segments, extDefinitions] = await Promise.all([
    loadMetricSums(services.db, scope),
    loadProducts(services.db, scope),
    loadSegments(services.db, scope),
    loadDefinitions(services, scope),
  ]);
  return { sums, products, segments, extDefinitions, lists: await loadLists(services, scope, { named, products }) };
}

const noDefinitions = makeExtDefinitions(new Map());

async function loadDefinitions(
  { extDefinitions }: Pick<Backing, 'extDefinitions'>,
  { org, definitionsVersion, works, rulesOf }: BatchScope,
): Promise<ExtDefinitions> {
  const isNeeded = works.some((work) => rulesOf(work)?.needs.ext);
  return isNeeded ? extDefinitions.current(org, definitionsVersion) : noDefinitions;
}

/** The products of the line items of those activities whose rules look at products, by SKU, in one query. */
async function loadProducts(db: Connection, scope: BatchScope): Promise<ReadonlyMap<string, StoredRecord>> {
  const skus = new Set<string>();
  for (const work of scope.works) {
    if (!scope.rulesOf(work)?.needs.products) continue;
    for (const { itemSKU } of work.activity.lineItems) if (itemSKU !== undefined) skus.add(itemSKU);
  }
  if (skus.size === 0) return new Map();
  const found = await collectionOf(db, productResource)
    .find({ org: scope.org, sku: { $in: [...skus] } })
    .toArray();
  return new Map(found.map((product) => [product.sku, product]));
}
