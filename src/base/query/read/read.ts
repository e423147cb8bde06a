import { EJSON, type ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { isTooSlow } from '#base/db/transaction';
import type { Resource } from '#base/schema/resource';
import type { Filter } from '../filter';
import type { ReadRequest } from '../parseQuery';
import { queryLimits } from '../queryLimits';
import type { Reader } from '../reader';
import type { Projection } from '../select';
import { ancestors, isInclusive } from '../select';
import { defaultSort } from '../sort';
import type { Found } from './found';
import { type ReadWeight, runHeavy, weighRead } from './heavyReads';
import { readFault } from './readFault';
import { readPopulated } from './readPopulated';
import { type FoundPage, readSorted } from './readSorted';
import { type SingleFlight, singleFlight } from './singleFlight';

/**
 * Reads the records of the reader's org that a request selects, in the requested order.
 * @throws ServiceError 1210 when it takes too long; 1260 when too many heavy reads run; 1130 when the reader may not
 *   read a reference to populate
 */
export async function readPage(reader: Reader, resource: Resource, request: ReadRequest): Promise<FoundPage> {
  const sorted = {
    ...request,
    filter: ofOrg(reader.org, request.filter),
    projection: buildProjection(resource, request),
  };
  return bounded(reader, weighRead(resource, request), async (maxTimeMS) => {
    const { found, last } = await readSorted(reader.db.collection(resource.path), sorted, maxTimeMS);
    const { populate } = request;
    return { found: await readPopulated(reader, found, { populate, maxTimeMS }), last };
  });
}

/** The records of {@link readPage}. */
export async function readList(reader: Reader, resource: Resource, request: ReadRequest): Promise<Found[]> {
  return (await readPage(reader, resource, request)).found;
}

/** Running counts by database. Callers that need the same count at the same time share it, because counting is slow. */
const counts = new WeakMap<Connection, SingleFlight>();

/**
 * Counts the records of the reader's org that a filter selects; `skip` and `limit` are ignored.
 * @throws as {@link readPage}
 */
export async function readCount(reader: Reader, resource: Resource, request: ReadRequest): Promise<number> {
  const { db, org } = reader;
  const shared = counts.get(db) ?? singleFlight();
  counts.set(db, shared);
  const filter = ofOrg(org, request.filter);
  const isWhole = Object.keys(request.filter).length === 0;
  const read = async (maxTimeMS: number) =>
    (isWhole ? await resource.countAll?.(db, org) : undefined) ??
    (await db.collection(resource.path).countDocuments(filter, { maxTimeMS }));
  const weight = weighRead(resource, { ...request, skip: 0, sort: defaultSort });
  // Counting may be slow even when an index finds the records, so no count is light.
  return bounded(reader, weight === 'heavy' ? weight : 'unknown', (maxTimeMS) =>
    shared.run(`${maxTimeMS} ${resource.path} ${EJSON.stringify(filter)}`, () => read(maxTimeMS)),
  );
}

/**
 * Reads one record of the reader's org; undefined when no record has this id.
 * @throws as {@link readPage}
 */
export async function readOne(
  reader: Reader,
  resource: Resource,
  id: ObjectId,
  request: ReadRequest,
): Promise<Found | undefined> {
  const [found] = await readList(reader, resource, { ...request, filter: { _id: { $eq: id } }, skip: 0, limit: 1 });
  return found;
}

/** Limits a filter to an org. No client argument can select records of another org. */
export function ofOrg(org: ObjectId, filter: Filter): Filter {
  return { $and: [{ org }, filter] };
}

/**
 * Runs a read within its limits: few heavy reads run at once, and errors that the client caused become client errors. A
 * read of unknown weight is stopped after a short time and then repeated as a heavy read.
 * @param read gets the milliseconds that the database may spend on it
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
 * Makes the projection of a read: the selected fields without hidden ones. References to populate are answered even
 * when `select` does not name them.
 */
function buildProjection(
  resource: Resource,
  { select, populate }: Pick<ReadRequest, 'select' | 'populate'>,
): Projection {
  const hidden = Object.fromEntries(resource.hidden.map((name) => [name, 0] as const));
  if (!select) return hidden;
  if (!isInclusive(select)) return { ...select, ...hidden };
  const missing = populate.filter(({ path }) => ![...ancestors(path), path].some((named) => select[named] === 1));
  return { ...select, ...Object.fromEntries(missing.map(({ path }) => [path, 1] as const)) };
}
