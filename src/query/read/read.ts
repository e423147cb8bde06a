import { EJSON, type ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { isTooSlow } from '../../db/transaction';
import type { Resource } from '../../schema/resource';
import type { Filter } from '../parseFilter';
import type { ReadRequest } from '../parseQuery';
import { queryLimits } from '../queryLimits';
import type { Reader } from '../reader';
import type { Projection } from '../select';
import { ancestors, isInclusive } from '../select';
import { defaultSort } from '../sort';
import type { Found } from './found';
import { type ReadWeight, runHeavy, weightOf } from './heavyReads';
import { readFault } from './readFault';
import { readPopulated } from './readPopulated';
import { type SharedRuns, sharedRuns } from './sharedRuns';

/**
 * The records of the reader's org that a request asks for, in its order.
 * @throws ServiceError 1210 when it takes too long; 1260 when too many heavy reads run; 1130 when a reference is to be
 *   populated that the reader may not read
 */
export async function list(reader: Reader, resource: Resource, request: ReadRequest): Promise<Found[]> {
  const { filter, sort, skip, limit, populate } = request;
  return bounded(reader, weightOf(resource, request), async (maxTimeMS) => {
    const found: Found[] = await reader.db
      .collection(resource.path)
      .find(ofOrg(reader.org, filter), {
        projection: projectionOf(resource, request),
        sort,
        skip,
        limit,
        batchSize: limit,
        maxTimeMS,
      })
      .toArray();
    return readPopulated(reader, resource, found, { populate, maxTimeMS });
  });
}

/** Counts of one database, shared by those who ask for the same at once: to count many takes a while. */
const counts = new WeakMap<Connection, SharedRuns>();

/** How many records of the reader's org a filter selects; `skip` and `limit` do not count. @throws as {@link list} */
export async function count(reader: Reader, resource: Resource, request: ReadRequest): Promise<number> {
  const { db, org } = reader;
  const shared = counts.get(db) ?? sharedRuns();
  counts.set(db, shared);
  const filter = ofOrg(org, request.filter);
  const isWhole = Object.keys(request.filter).length === 0;
  const read = async (maxTimeMS: number) =>
    (isWhole ? await resource.countAll?.(db, org) : undefined) ??
    (await db.collection(resource.path).countDocuments(filter, { maxTimeMS }));
  const weight = weightOf(resource, { ...request, skip: 0, sort: defaultSort });
  // Also what an index finds at once may be many to count.
  return bounded(reader, weight === 'heavy' ? weight : 'unknown', (maxTimeMS) =>
    shared.run(`${maxTimeMS} ${resource.path} ${EJSON.stringify(filter)}`, () => read(maxTimeMS)),
  );
}

/** One record of the reader's org; undefined when there is none with this id. @throws as {@link list} */
export async function readOne(
  reader: Reader,
  resource: Resource,
  id: ObjectId,
  request: ReadRequest,
): Promise<Found | undefined> {
  const [found] = await list(reader, resource, { ...request, filter: { _id: { $eq: id } }, skip: 0, limit: 1 });
  return found;
}

/** A filter within an org: no argument of a client reaches past it. */
export function ofOrg(org: ObjectId, filter: Filter): Filter {
  return { $and: [{ org }, filter] };
}

/**
 * Runs a read within its bounds: few heavy ones at once, and errors of the asker answered as such. What does not look
 * heavy is stopped when it turns out to be, and begins again as such.
 * @param read gets the milliseconds that the database may work on it
 * @throws ServiceError 1210 when it takes too long; 1260 when too many heavy reads run
 */
export async function bounded<T>(
  { userId }: Pick<Reader, 'userId'>,
  weight: ReadWeight,
  read: (maxTimeMS: number) => Promise<T>,
): Promise<T> {
  const { timeMaxMs, lightMaxMs } = queryLimits;
  const readHeavy = () => runHeavy(userId.toHexString(), () => read(timeMaxMs));
  try {
    if (weight === 'light') return await read(timeMaxMs);
    if (weight === 'heavy') return await readHeavy();
    return await read(lightMaxMs).catch((error: unknown) => {
      if (isTooSlow(error)) return readHeavy();
      throw error;
    });
  } catch (error) {
    throw readFault(error);
  }
}

/**
 * The projection of a read: what `select` asks for, without hidden fields. References to be populated are answered even
 * when `select` does not name them.
 */
function projectionOf(resource: Resource, { select, populate }: Pick<ReadRequest, 'select' | 'populate'>): Projection {
  const hidden = Object.fromEntries(resource.hidden.map((name) => [name, 0] as const));
  if (!select) return hidden;
  if (!isInclusive(select)) return { ...select, ...hidden };
  const missing = populate.filter(({ path }) => ![...ancestors(path), path].some((named) => select[named] === 1));
  return { ...select, ...Object.fromEntries(missing.map(({ path }) => [path, 1] as const)) };
}
