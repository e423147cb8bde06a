import type { PipelineStage } from 'mongoose';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { readYielding } from '#base/db/readYielding';
import type { Resource } from '#base/schema/resource';
import type { Field } from '../fields';
import type { ReadRequest } from '../parseQuery';
import type { Reader } from '../reader';
import { ancestors } from '../select';
import type { Found } from './found';
import { bounded, ofOrg } from './read';

/**
 * Reads the distinct values of one field, or the distinct combinations of several fields as objects keyed by path. Each
 * element of a list counts as a value. The order is ascending unless `sort` says otherwise.
 * @throws ServiceError 1210 when it takes too long or `sort` names another field; 1260 when too many heavy reads run
 */
export async function distinct(reader: Reader, resource: Resource, request: ReadRequest): Promise<unknown[]> {
  const { distinct: fields = [], skip, limit } = request;
  const rows = await grouped<{ _id: Record<string, unknown> }>(reader, resource, request, [
    { $sort: distinctSort(fields, request.sort) },
    { $skip: skip },
    { $limit: limit },
  ]);
  const [only] = fields;
  if (only && fields.length === 1) return rows.map(({ _id }) => _id.f0);
  return rows.map(({ _id }) => combination(fields, _id));
}

/**
 * Counts what {@link distinct} would answer without `skip` and `limit`.
 * @throws as {@link distinct}
 */
export async function countDistinct(reader: Reader, resource: Resource, request: ReadRequest): Promise<number> {
  distinctSort(request.distinct ?? [], request.sort);
  const [counted] = await grouped<{ count: number }>(reader, resource, request, [{ $count: 'count' }]);
  return counted?.count ?? 0;
}

type Stage = Exclude<PipelineStage, PipelineStage.Merge | PipelineStage.Out>;

/** Groups the records by their values, and passes the groups through further stages. */
async function grouped<T extends Found>(reader: Reader, resource: Resource, request: ReadRequest, further: Stage[]) {
  const pipeline = [{ $match: ofOrg(reader.org, request.filter) }, ...groupStages(request.distinct ?? []), ...further];
  return bounded(reader, 'heavy', (maxTimeMS) =>
    readYielding(reader.db.collection(resource.path).aggregate<T>(pipeline, { maxTimeMS })),
  );
}

/** Builds the aggregation. Fields are named f0, f1 … in it, because a key of a group may have no dot. */
function groupStages(fields: readonly Field[]): Stage[] {
  const isSingle = fields.length === 1;
  const keys = fields.map(({ path }, index) => [`f${index}`, `$${path}`] as const);
  const unwound = [...new Set(fields.flatMap(unwindPaths))].sort((a, b) => a.length - b.length);
  return [
    ...unwound.map((path) => ({ $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: !isSingle } })),
    { $group: { _id: Object.fromEntries(keys) } },
    // A missing field is not a value. In a combination it is left out.
    ...(isSingle ? [{ $match: { '_id.f0': { $ne: null } } }] : []),
  ];
}

function unwindPaths({ path, kind, arrays }: Field): readonly string[] {
  // Below a free object no schema says which steps are lists, so all steps are unwound. Unwinding another value keeps
  // it.
  return kind === 'free' ? [...ancestors(path), path] : arrays;
}

function distinctSort(fields: readonly Field[], sort: ReadRequest['sort']): Record<string, 1 | -1> {
  const ordered: Record<string, 1 | -1> = {};
  for (const [path, direction] of Object.entries(sort)) {
    const index = fields.findIndex((field) => field.path === path);
    if (index < 0 && path !== '_id') throw malformed(message('query.sortBesideDistinct'));
    if (index >= 0) ordered[`_id.f${index}`] = direction;
  }
  return {
    ...ordered,
    ...Object.fromEntries(fields.map((_, index) => [`_id.f${index}`, ordered[`_id.f${index}`] ?? 1])),
  };
}

function combination(fields: readonly Field[], values: Record<string, unknown>): Record<string, unknown> {
  const present = fields.map(({ path }, index) => [path, values[`f${index}`]] as const);
  return Object.fromEntries(present.filter(([, value]) => value !== undefined && value !== null));
}
