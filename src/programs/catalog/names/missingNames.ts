import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { readLocal } from '#base/db/readLocal';
import type { StoredQuery } from '#base/query/storedQuery';
import type { NamedByText } from '#base/schema/namedByText';
import type { Resource } from '#base/schema/resource';
import { namesInQuery } from './namesInQuery';

/** Who writes, and where records are. */
interface Asking {
  services: { db: Connection; resources: readonly Resource[] };
  principal: { org: ObjectId };
}

/** The faults of a stored query that names definitions which do not exist, such as a purse, a level or a segment. */
export function missingInQuery(query: StoredQuery, model: string, request: Asking): Promise<FieldError[]> {
  const resource = request.services.resources.find(({ name }) => name === model);
  // A list of products may name SKUs that come later. An extension field without a def is free.
  const names = namesInQuery(query, resource).filter((named) => named.model !== model && named.model !== 'ExtDef');
  return missingNames(
    names.map((named) => ({ ...named, at: 'query' })),
    request,
  );
}

/** The faults of strings that name no record of the org, kind `reference`. */
export async function missingNames(
  names: readonly NamedByText[],
  { services, principal }: Asking,
): Promise<FieldError[]> {
  const faults = await Promise.all(
    names.map(async ({ model, fields, at }) => {
      const resource = services.resources.find(({ name }) => name === model);
      const where = Object.fromEntries(Object.entries(fields).map(([path, value]) => [path, storedValue(path, value)]));
      const found =
        resource &&
        (await services.db
          .collection(resource.path)
          .findOne({ $and: [{ org: principal.org }, where] }, { projection: { _id: 1 }, ...readLocal }));
      if (found) return [];
      const { program: _program, ...named } = fields;
      const values = Object.values(named).join(', ');
      return [{ path: at, kind: 'reference', ...message('refs.namesNone', { model, values }) }];
    }),
  );
  return faults.flat();
}

function storedValue(path: string, value: string): unknown {
  const isId = path === '_id' || path === 'program';
  return isId && ObjectId.isValid(value) ? new ObjectId(value) : value;
}
