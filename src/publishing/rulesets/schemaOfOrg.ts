import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { ruleJsonSchema } from '#engine/rules/editor/ruleJsonSchema';
import { productResource } from '#records/catalog/product';
import { loadRuleReferences } from './loadRuleReferences';
import { ruleSetInForce } from './ruleSetInForce';

/** Maximum number of product categories in a schema. */
const categoriesMax = 1000;

/** The JSON Schema of rule files with the names of an org: its purses, tiers, segments, channels, partners and lists. */
export async function schemaOfOrg(db: Connection, org: ObjectId): Promise<Record<string, unknown>> {
  const current = await ruleSetInForce(db, org);
  const [references, categories] = await Promise.all([
    loadRuleReferences(db, org, current?.drafts),
    collectionOf(db, productResource).distinct('category', { org, category: { $type: 'string' } }),
  ]);
  const { channels = [], partners = [] } = references.codes ?? {};
  const named = categories
    .filter((each) => typeof each === 'string')
    .sort()
    .slice(0, categoriesMax);
  return ruleJsonSchema({ ...references, codes: { channels, partners, categories: named } });
}
