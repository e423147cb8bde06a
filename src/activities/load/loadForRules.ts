import type { Backing } from '../../backing';
import { type ExtDefinitions, makeExtDefinitions } from '../../extensions/extDefinitions';
import type { KeptByVersion } from '../../orgs/keptByVersion';
import type { BatchContext } from '../state/batchContext';
import type { BatchScope } from '../state/batchScope';
import type { NamedRecords } from '../state/namedRecords';
import { loadLists } from './loadLists';
import { loadMetricSums } from './loadMetricSums';
import { loadProducts } from './loadProducts';
import { loadSegments } from './loadSegments';

/** Reads what rules of a batch look at beside what every activity needs; nothing when they look at nothing of it. */
export async function loadForRules(
  services: Pick<Backing, 'db' | 'resources'> & { extDefinitions: KeptByVersion<ExtDefinitions> },
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
  { extDefinitions }: { extDefinitions: KeptByVersion<ExtDefinitions> },
  { org, definitionsVersion, works, rulesOf }: BatchScope,
): Promise<ExtDefinitions> {
  const isNeeded = works.some((work) => rulesOf(work)?.needs.ext);
  return isNeeded ? extDefinitions.current(org, definitionsVersion) : noDefinitions;
}
