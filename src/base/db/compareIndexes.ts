import type { Connection, mongo } from 'mongoose';
import { canonicalJson } from '#base/common/canonicalJson';
import { mapAtOnce } from '#base/limits/semaphore';
import type { Resource } from '#base/schema/resource';
import { type IndexSpec, indexSpecs } from './indexSpecs';

/** An index of the database that no resource declares. */
export interface ExtraIndex {
  collection: string;
  name: string;
}

/** How the indexes of a database differ from those that the resources declare. */
export interface IndexComparison {
  missing: IndexSpec[];
  /** Declared, but there with other options or, under the same name, with other fields. */
  differing: IndexSpec[];
  extra: ExtraIndex[];
}

/** How many collections are asked at once: more than a small pool has connections for would wait too long for one. */
const atOnce = 8;

/** Compares the indexes of the collections that are there with those that the resources declare. It changes nothing. */
export async function compareIndexes(
  db: Connection,
  resources: readonly Resource[],
  existing: ReadonlySet<string>,
): Promise<IndexComparison> {
  const found = await mapAtOnce(atOnce, resources, async (resource): Promise<IndexComparison> => {
    const specs = indexSpecs([resource]);
    if (!existing.has(resource.path)) return { missing: specs, differing: [], extra: [] };
    return compared(resource.path, specs, await db.collection(resource.path).indexes());
  });
  return {
    missing: found.flatMap(({ missing }) => missing),
    differing: found.flatMap(({ differing }) => differing),
    extra: found.flatMap(({ extra }) => extra),
  };
}

type Found = mongo.IndexDescriptionInfo;

function compared(collection: string, specs: IndexSpec[], present: Found[]): IndexComparison {
  const same = new Map(specs.map((spec) => [spec, present.find((each) => isSame(spec, each))]));
  const clash = (spec: IndexSpec) => present.some(({ name, key }) => name === spec.name || isSameKey(spec, { key }));
  const absent = specs.filter((spec) => !same.get(spec));
  const used = new Set([...same.values()].map((each) => each?.name));
  return {
    missing: absent.filter((spec) => !clash(spec)),
    differing: absent.filter(clash),
    extra: present
      .filter(({ name = '' }) => name !== '_id_' && !used.has(name))
      .filter((each) => !absent.some((spec) => each.name === spec.name || isSameKey(spec, each)))
      .map(({ name = '' }) => ({ collection, name })),
  };
}

function isSame(spec: IndexSpec, found: Found): boolean {
  return (
    isSameKey(spec, found) &&
    (spec.unique ?? false) === (found.unique ?? false) &&
    spec.expireAfterSeconds === found.expireAfterSeconds &&
    canonicalJson(spec.partialFilterExpression ?? null) === canonicalJson(found.partialFilterExpression ?? null)
  );
}

/** The order of the fields counts. */
function isSameKey({ key }: IndexSpec, found: Pick<Found, 'key'>): boolean {
  return JSON.stringify(Object.entries(key)) === JSON.stringify(Object.entries(found.key));
}
