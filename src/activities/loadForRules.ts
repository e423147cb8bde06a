import type { Services } from '../services';
import type { BatchContext } from './batchContext';
import type { BatchScope } from './batchScope';
import { loadLists } from './loadLists';
import { loadMetricSums } from './loadMetricSums';
import { loadProducts } from './loadProducts';
import type { NamedRecords } from './namedRecords';

/** Reads what rules of a batch look at beside what every activity needs; nothing when they look at nothing of it. */
export async function loadForRules(
  services: Pick<Services, 'db' | 'resources'>,
  scope: BatchScope,
  named: NamedRecords,
): Promise<Pick<BatchContext, 'sums' | 'products' | 'lists'>> {
  const [sums, products] = await Promise.all([loadMetricSums(services.db, scope), loadProducts(services.db, scope)]);
  return { sums, products, lists: await loadLists(services, scope, { named, products }) };
}
