import { malformed, ServiceError } from '../../common/errors';
import { modelOf } from '../../db/collections';
import type { Resource } from '../../schema/resource';
import type { Field } from '../fields';
import type { Reader } from '../reader';
import type { Found } from './found';

/** The references to follow, and the milliseconds that the database may spend on each. */
interface PopulateOptions {
  populate: readonly Field[];
  maxTimeMS: number;
}

/**
 * Replaces the ids of references by the records that they name, without hidden fields. An id without a record in the
 * reader's org stays an id.
 * @throws ServiceError 1130 when the reader may not read a referenced resource
 */
export async function readPopulated(
  reader: Reader,
  resource: Resource,
  found: Found[],
  { populate, maxTimeMS }: PopulateOptions,
): Promise<Found[]> {
  const targets = populate.map((field) => ({ path: field.path, target: targetOf(reader, field) }));
  if (found.length === 0) return found;
  for (const { path, target } of targets) {
    await modelOf(reader.db, resource).populate(found, {
      path,
      model: modelOf(reader.db, target),
      match: { org: reader.org },
      select: Object.fromEntries(target.hidden.map((name) => [name, 0])),
      options: { lean: true, maxTimeMS },
      transform: (record: unknown, id: unknown) => record ?? id,
    });
  }
  return found;
}

function targetOf(reader: Reader, { path, ref }: Field): Resource {
  const target = reader.resources.find(({ name }) => name === ref);
  if (!target) throw malformed(`populate cannot follow ${path}: its records cannot be read`);
  const permission = target.permissions.read;
  if (!reader.permissions.has(permission)) {
    throw new ServiceError('forbidden', `Permission ${permission} is needed to populate ${path}`);
  }
  return target;
}
