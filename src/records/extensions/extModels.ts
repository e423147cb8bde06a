import type { Resource } from '../../schema/resource';

/** The model of line items. They are not a resource, but they have extension fields. */
export const lineItemModel = 'LineItem';

/** Other names of models: a client posts an Activity, which is stored as an ActivityHistory. */
const aliases: Record<string, string> = { Activity: 'ActivityHistory' };

/** The model for a model name in an ExtSchema. */
export function extModelOf(name: string): string {
  return aliases[name] ?? name;
}

/** Tells whether the records of the named model have extension fields. */
export function hasExt(name: string, resources: readonly Resource[]): boolean {
  if (name === lineItemModel) return true;
  return resources.some(
    (resource) => resource.name === extModelOf(name) && Object.hasOwn(resource.shape.properties, 'ext'),
  );
}
