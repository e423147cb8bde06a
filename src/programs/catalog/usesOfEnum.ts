import { collectionOf } from '#base/db/collections';
import type { DocOf } from '#base/schema/resource';
import type { Use } from '#platform/recordWrites/recordRules';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { activityHistoryResource } from '#records/activities/activityHistory';
import type { enumResource } from '#records/catalog/enumValue';
import { extDefResource } from '#records/extensions/extDef';
import { extModelName, itemModels } from '#records/extensions/extModels';
import { extSchemaResource } from '#records/extensions/extSchema';

/** Paths of activity histories that store values of Enums, by the type of the Enum. */
const historyPaths: Readonly<Record<string, string>> = {
  ActivityType: 'type',
  ChannelType: 'srcChannelType',
  SalesUOM: 'lineItems.itemUOM',
};

/**
 * Lists the places where records may store the value of an Enum: in activity histories, and in extension fields of its
 * type.
 */
export async function usesOfEnum({ type, value }: DocOf<typeof enumResource>, context: OrgContext): Promise<Use[]> {
  const path = Object.hasOwn(historyPaths, type) ? historyPaths[type] : undefined;
  const ofHistories = path === undefined ? [] : [{ in: activityHistoryResource, path, where: { [path]: value } }];
  return [...ofHistories, ...(await extUses(type, value, context))];
}

async function extUses(enumType: string, value: string, { services, principal }: OrgContext): Promise<Use[]> {
  const { db, resources } = services;
  const { org } = principal;
  const defs = await collectionOf(db, extDefResource).find({ org, type: 'enum', enumType }).toArray();
  const schemas = await collectionOf(db, extSchemaResource)
    .find({ org, _id: { $in: defs.map(({ extSchema }) => extSchema) } })
    .toArray();
  return defs.flatMap(({ extSchema, field }) => {
    const model = schemas.find(({ _id }) => _id.equals(extSchema))?.model ?? '';
    const [items] = Object.entries(itemModels).find(([, each]) => each === model) ?? [];
    const resource = items ? activityHistoryResource : resources.find(({ name }) => name === extModelName(model));
    const path = `${items ? `${items}.` : ''}ext.${field}`;
    return resource ? [{ in: resource, path, where: { [path]: value } }] : [];
  });
}
