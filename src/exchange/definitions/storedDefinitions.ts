import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Resource } from '#base/schema/resource';
import { definitionKeyFields, definitionKeyText, readFileKey } from './definitionKeys';
import { DefinitionNames } from './definitionNames';
import { definitionResources } from './definitionResources';
import { toFileForm } from './fileForm';

/** A stored definition, and how a file has it. */
export interface StoredDefinition {
  resource: Resource;
  id: ObjectId;
  /** Its key, as a string. */
  key: string;
  record: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** Definitions of an org, in the order of {@link definitionResources}, and the names by which files refer to all. */
export interface StoredDefinitions {
  all: StoredDefinition[];
  names: DefinitionNames;
}

/** The most records of one resource that are read. */
export const storedMax = 100_000;

/**
 * Reads the definitions of an org in these sections, and the names of all others.
 * @throws ServiceError 1240 when a resource has more than {@link storedMax}
 */
export async function readStoredDefinitions(
  db: Connection,
  org: ObjectId,
  sections: readonly Resource[],
): Promise<StoredDefinitions> {
  const names = new DefinitionNames();
  const found: [Resource, Record<string, unknown>, ObjectId][] = [];
  for (const resource of definitionResources) {
    const isWhole = sections.includes(resource);
    for (const record of await readStoredRecords(db, resource, org, isWhole)) {
      if (isWhole) found.push([resource, record, record._id]);
      const key = readFileKey(resource, toFileForm(resource, record, names));
      if (key !== undefined) names.add(resource, record._id, key);
    }
  }
  // Bodies come when all names are known: a query in a segment may name any definition.
  const all = found.map(([resource, record, id]) => {
    const body = toFileForm(resource, record, names);
    return {
      resource,
      id,
      record,
      body,
      key: definitionKeyText(resource, readFileKey(resource, body)) ?? id.toHexString(),
    };
  });
  return { all, names };
}

async function readStoredRecords(db: Connection, resource: Resource, org: ObjectId, isWhole: boolean) {
  const { path } = resource;
  const projection = Object.fromEntries(definitionKeyFields(resource).map((name) => [name, 1]));
  const found = await db
    .collection<Record<string, unknown> & { _id: ObjectId }>(path)
    .find({ org }, isWhole ? {} : { projection })
    .sort({ org: 1, _id: 1 })
    .limit(storedMax + 1)
    .toArray();
  if (found.length <= storedMax) return found;
  throw new ServiceError('tooLarge', message('definitions.tooMany', { max: storedMax, path }));
}
