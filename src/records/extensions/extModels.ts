import type { Resource } from '../../schema/resource';

/** The model of line items, which are no resource but carry extension fields of their own. */
export const lineItemModel = 'LineItem';

/** Names that a model goes by besides its own: what is posted as an activity is stored as a history. */
const aliases: Record<string, string> = { Activity: 'ActivityHistory' };

/** The model that a name of an ExtSchema means. */
export function extModelOf(name: string): string {
  return aliases[name] ?? name;
}

/** Tells whether a name means a model whose records carry extension fields. */
export function hasExt(name: string, resources: readonly Resource[]): boolean {
  if (name === lineItemModel) return true;
  return resources.some(
    (resource) => resource.name === extModelOf(name) && Object.hasOwn(resource.shape.properties, 'ext'),
  );
}
