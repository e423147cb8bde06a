import type { Index, Resource } from '#base/schema/resource';

/** An index that a resource declares, as the server makes it. */
export interface IndexSpec {
  collection: string;
  /** The name that MongoDB gives it by default. */
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  partialFilterExpression?: Record<string, unknown>;
  expireAfterSeconds?: number;
  /** Without it nothing may be served: it keeps values unique, or reads name it. */
  isNeeded: boolean;
}

/** The indexes that resources declare. MongoDB adds the one of `_id` itself. */
export function indexSpecs(resources: readonly Resource[]): IndexSpec[] {
  return resources.flatMap(({ path, indexes }) => indexes.map((index) => indexSpec(path, index)));
}

function indexSpec(collection: string, { keys, unique, where, expireAfterSeconds, isNeeded }: Index): IndexSpec {
  return {
    collection,
    name: indexName(keys),
    key: keys,
    ...(unique ? { unique } : {}),
    ...(where ? { partialFilterExpression: where } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
    isNeeded: isNeeded ?? unique === true,
  };
}

function indexName(keys: Record<string, unknown>): string {
  return Object.entries(keys)
    .flatMap(([field, direction]) => [field, String(direction)])
    .join('_');
}

/** How lists and messages name an index. */
export function indexLabel({ collection, name }: Pick<IndexSpec, 'collection' | 'name'>): string {
  return `${collection}.${name}`;
}
