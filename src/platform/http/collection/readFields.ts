import { type FieldTable, readableFields } from '#base/query/fields';
import { typedFields } from '#base/query/typedFields';
import type { Resource } from '#base/schema/resource';
import type { Request } from '../route';

/** Extension models of objects inside records that have extension fields of their own. */
const innerModels: Record<string, string> = { lineItems: 'LineItem' };

/** Returns the fields that the arguments of a read may name. Fields below `ext` have the types of their definitions. */
export async function readFields(resource: Resource, request: Request): Promise<FieldTable> {
  const fields = readableFields(resource);
  const { query, services, principal } = request;
  const namesExt = Object.entries(query).some(([name, value]) => name.includes('ext.') || value.includes('ext.'));
  if (!namesExt) return fields;
  const definitions = await services.extDefinitions.current(principal.org, principal.versions?.definitionsVersion);
  return typedFields(fields, (parent, name) => {
    const model = parent === '' ? resource.name : innerModels[parent];
    return model === undefined ? undefined : definitions.kindOf(model, name);
  });
}
