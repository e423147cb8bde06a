import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { eachYielding } from '#base/db/readYielding';
import type { StoredQuery } from '#base/query/storedQuery';
import type { NamedByText, StoredNames } from '#base/schema/namedByText';
import type { Resource } from '#base/schema/resource';
import { readFilter } from '#engine/filters/filterCriteria';
import { type FilterModel, filterFields } from '#engine/filters/filterFields';
import { extOfCriterion } from '#engine/rules/check/extUses';
import type { RecordFilter } from '#records/catalog/filterShape';
import { namedListResource } from '#records/catalog/namedList';
import { segmentResource } from '#records/catalog/segment';
import { importMappingResource } from '#records/imports/importMapping';
import { memberResource } from '#records/members/member';
import { type Offer, offerResource } from '#records/offers/offer';
import { rewardResource } from '#records/offers/reward';
import { tierPolicyResource } from '#records/programs/tierPolicy';
import { modelsInMappings, namesInMapping } from './namesInMapping';
import { modelsInQueries, namesInQuery } from './namesInQuery';
import { metricPurses, tierMetrics } from './tierMetrics';

/** A record, and what it names. */
export interface Namer {
  _id: ObjectId;
  /** What people call it. */
  name: string;
  names: readonly NamedByText[];
}

/** Records of one resource that name others by strings. */
export interface TextNames {
  in: Resource;
  /** The models of the records that they can name. */
  models: readonly string[];
  /** Reads those of an org that name any, one after the other. */
  namers(services: StoredNames, org: ObjectId): AsyncIterable<Namer>;
}

/** An entry of the list: `find` reads the records of an org that may name any. */
function entry<R extends { _id: ObjectId }>(
  { in: resource, models }: Pick<TextNames, 'in' | 'models'>,
  find: (db: StoredNames['db'], org: ObjectId) => AsyncIterable<R>,
  read: (record: R, resources: StoredNames['resources']) => Omit<Namer, '_id'>,
): TextNames {
  return {
    in: resource,
    models,
    async *namers({ db, resources }, org) {
      for await (const record of eachYielding(find(db, org))) yield { _id: record._id, ...read(record, resources) };
    },
  };
}

/** The records with a query of their own. */
const withQuery = { query: { $exists: true } };

const withFilter = { $or: [{ productFilter: { $exists: true } }, { locationFilter: { $exists: true } }] };

function namesOfOffer({
  code,
  productFilter,
  locationFilter,
}: Pick<Offer, 'code' | 'productFilter' | 'locationFilter'>): Omit<Namer, '_id'> {
  return {
    name: code,
    names: [
      ...inFilter(productFilter, 'Product', 'productFilter'),
      ...inFilter(locationFilter, 'Location', 'locationFilter'),
    ],
  };
}

/**
 * Everything that records name by a string, unless a declared reference (`x-ref`) or the `uses` of a collection says so
 * already. What rules name is in `rules/check/ruleUses`. Both lists are consulted before a record is renamed or
 * deleted.
 */
export const textNames: readonly TextNames[] = [
  entry(
    { in: tierPolicyResource, models: ['PursePolicy'] },
    (db, org) => collectionOf(db, tierPolicyResource).find({ org }, readLocal),
    (policy) => ({ name: policy.name, names: metricPurses(policy.program, tierMetrics(policy)) }),
  ),
  entry(
    { in: segmentResource, models: modelsInQueries },
    (db, org) => collectionOf(db, segmentResource).find({ org, ...withQuery }, readLocal),
    ({ name, query }) => ({ name, names: inQuery(query, memberResource) }),
  ),
  entry(
    { in: namedListResource, models: modelsInQueries },
    (db, org) => collectionOf(db, namedListResource).find({ org, ...withQuery }, readLocal),
    ({ name, query, model }, resources) => ({
      name,
      names: inQuery(
        query,
        resources.find((each) => each.name === model),
      ),
    }),
  ),
  entry(
    { in: offerResource, models: ['Product', 'Location', 'ExtDef'] },
    (db, org) => collectionOf(db, offerResource).find({ org, ...withFilter }, readLocal),
    (offer) => namesOfOffer(offer),
  ),
  entry(
    { in: rewardResource, models: ['Product', 'Location', 'ExtDef'] },
    (db, org) => collectionOf(db, rewardResource).find({ org, ...withFilter }, readLocal),
    (offer) => namesOfOffer(offer),
  ),
  entry(
    { in: importMappingResource, models: modelsInMappings },
    (db, org) => collectionOf(db, importMappingResource).find({ org }, readLocal),
    (mapping) => ({ name: mapping.name, names: namesInMapping(mapping) }),
  ),
];

function inQuery(query: StoredQuery | undefined, resource: Resource | undefined): NamedByText[] {
  return namesInQuery(query, resource).map((named) => ({ ...named, at: 'query' }));
}

/** The field of products and of locations by which filters name them, beside their id. */
const keyOf: Readonly<Record<FilterModel, string>> = { Product: 'sku', Location: 'number' };

function inFilter(filter: RecordFilter | undefined, model: FilterModel, at: string): NamedByText[] {
  const { criteria = [] } = (filter ? readFilter(filter, filterFields[model]).criteria : undefined) ?? {};
  return criteria.flatMap(({ path, values }): NamedByText[] =>
    path === '_id' || path === keyOf[model]
      ? values.map((value) => ({ model, fields: { [path]: String(value) }, at }))
      : extOfCriterion(model, path).map((named) => ({ ...named, at })),
  );
}
