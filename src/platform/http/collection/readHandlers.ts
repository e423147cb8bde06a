import type { TProperties } from '@sinclair/typebox';
import { notFound } from '#base/common/errors';
import { readableFields } from '#base/query/fields';
import type { Filter } from '#base/query/filter';
import { nextPage } from '#base/query/page';
import { parseQuery, type QueryOptions, type ReadRequest } from '#base/query/parseQuery';
import { countDistinct, distinct } from '#base/query/read/distinct';
import { readCount, readOne, readPage } from '#base/query/read/read';
import type { Reader } from '#base/query/reader';
import type { Resource } from '#base/schema/resource';
import type { RecordRules } from '#platform/recordWrites/recordRules';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { type Answer, ok, type Request } from '../route';
import type { CollectionOptions } from './collectionOptions';
import { etagHeader } from './etag';
import { followMerges } from './followMerges';
import { readFields } from './readFields';
import { readPathId } from './readPathId';

/** The routes' options, and the rules by which records are shown. */
export type ReadOptions<P extends TProperties, B> = CollectionOptions & Pick<RecordRules<P, B>, 'guard' | 'present'>;

/** The handlers of the reads of a resource. */
export function readHandlers<P extends TProperties, B>(resource: Resource<P>, options: ReadOptions<P, B>) {
  return {
    list: (request: Request) => handleList(resource, options, request),
    count: (request: Request) => handleCount(resource, options, request),
    read: (request: Request) => handleRead(resource, options, request),
  };
}

/** The arguments of a list or a count. A filter by a merged member also selects its survivor. */
async function parsedQuery(resource: Resource, options: QueryOptions, request: Request): Promise<ReadRequest> {
  const fields = await readFields(resource, request);
  const parsed = parseQuery(request.query, fields, { ...options, search: resource.search?.filterOf });
  return { ...parsed, filter: await followMerges(requestReader(request), resource, fields, parsed.filter) };
}

async function handleList<P extends TProperties, B>(
  resource: Resource<P>,
  { isQueryRequired = false, skipMax, present, path = resource.path }: ReadOptions<P, B>,
  request: Request,
): Promise<Answer> {
  const query = await parsedQuery(resource, { isQueryRequired, skipMax }, request);
  const reader = requestReader(request);
  const source = await prepared(resource, request, query.filter);
  if (query.distinct) {
    const values = await distinct(reader, source, query);
    return ok(values, linkTo(path, nextPage(request.query, { ...query, skipMax }, { found: values.length })));
  }
  const { found, last } = await readPage(reader, source, query);
  const link = linkTo(path, nextPage(request.query, { ...query, skipMax }, { found: found.length, last }));
  return ok(present ? await present(found, request) : found, link);
}

function linkTo(path: string, next: string | undefined): Record<string, string> {
  return next === undefined ? {} : { Link: `</api/v1/${path}?${next}>; rel="next"` };
}

async function handleCount<P extends TProperties, B>(
  resource: Resource<P>,
  { isQueryRequired = false, skipMax }: ReadOptions<P, B>,
  request: Request,
): Promise<Answer> {
  const query = await parsedQuery(resource, { isQueryRequired, skipMax }, request);
  const count = query.distinct ? countDistinct : readCount;
  return ok({ count: await count(requestReader(request), await prepared(resource, request, query.filter), query) });
}

async function handleRead<P extends TProperties, B>(
  resource: Resource<P>,
  { guard, present, missing }: ReadOptions<P, B>,
  request: Request,
): Promise<Answer> {
  const id = readPathId(request);
  const { select, populate } = request.query;
  const isWhole = select === undefined && populate === undefined;
  const parsed = parseQuery(
    { ...(select === undefined ? {} : { select }), ...(populate === undefined ? {} : { populate }) },
    readableFields(resource),
  );
  // A guard needs the whole record, whatever fields were selected.
  const guarded = guard ? await storedRecord(resource, request, id) : undefined;
  if (guarded) await guard?.(guarded, request);
  const found =
    guarded && isWhole
      ? visible(resource, guarded)
      : await readOne(requestReader(request), await prepared(resource, request, { _id: id }), id, parsed);
  if (!found) throw (await missing?.(request, id)) ?? notFound(resource.name);
  const [presented] = present ? await present([found], request) : [found];
  return ok(presented, isWhole ? etagHeader(found) : {});
}

/** The resource to read from, ready for a read with this filter. */
function prepared<P extends TProperties>(
  resource: Resource<P>,
  request: Request,
  filter: Filter,
): Promise<Resource<P>> {
  const { services, principal, now } = request;
  return services.prepareRead(services.db, resource, { org: principal.org, filter, now });
}

/** Returns who reads for a request, and from which database and resources. */
export function requestReader({
  services: { db, resources },
  principal: { org, userId, permissions },
}: Request): Reader {
  return { db, resources, org, userId, permissions };
}
