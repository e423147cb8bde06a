import type { Resource } from '#base/schema/resource';

/**
 * The models of the items of activities, by the field that holds them. They are not resources, but have extension
 * fields.
 */
export const itemModels = { lineItems: 'LineItem', tenderItems: 'TenderItem' } as const;

/** Other names of models: a client posts an Activity, which is stored as an ActivityHistory. */
const aliases: Record<string, string> = { Activity: 'ActivityHistory' };

/** The model for a model name in an ExtSchema. */
export function extModelName(name: string): string {
  return aliases[name] ?? name;
}

/** Tells whether the records of the named model have extension fields. */
export function hasExt(name: string, resources: readonly Resource[]): boolean {
  if (Object.values(itemModels).some((model) => model === name)) return true;
  return resources.some(
    (resource) => resource.name === extModelName(name) && Object.hasOwn(resource.shape.properties, 'ext'),
  );
}
