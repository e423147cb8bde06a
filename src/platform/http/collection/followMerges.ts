import { ObjectId } from 'bson';
import { isPlainObject } from '#base/common/plainObject';
import type { FieldTable } from '#base/query/fields';
import type { Filter } from '#base/query/filter';
import type { Reader } from '#base/query/reader';
import type { Resource } from '#base/schema/resource';

/**
 * For each path, the references that stay with a merged member or record the merge itself, as `mergeIds` does
 * everywhere (docs/design/members.md, "What names a merged member").
 */
const stays: Readonly<Record<string, readonly string[]>> = {
  journal: ['member'],
  tierhistories: ['member'],
  activityhistories: ['originalMemberID', 'occasion.other'],
  refusedactivities: ['memberID'],
  members: ['mergedInto'],
};

/**
 * Makes a filter by a merged member select the records of its survivor too, because a job moves records some time after
 * the merge. A filter that names no member costs no query.
 */
export async function followMerges(
  { db, org }: Reader,
  { path }: Resource,
  fields: FieldTable,
  filter: Filter,
): Promise<Filter> {
  const follows = (name: string) => {
    const field = name.replace(/\.\d+(?=\.|$)/g, '');
    return fields.find(name)?.ref === 'Member' && field !== 'mergeIds' && !stays[path]?.includes(field);
  };
  const ids = new Map<string, ObjectId>();
  replaceIds(filter, follows, (id) => {
    ids.set(id.toHexString(), id);
    return [id];
  });
  if (ids.size === 0) return filter;
  const merged = await db
    .collection<Merged>('members')
    .find({ org, _id: { $in: [...ids.values()] }, status: 'Merged' }, { projection: { mergedInto: 1 } })
    .toArray();
  if (merged.length === 0) return filter;
  const survivors = new Map(merged.map(({ _id, mergedInto }) => [_id.toHexString(), mergedInto]));
  return replaceIds(filter, follows, (id) => {
    const survivor = survivors.get(id.toHexString());
    return survivor ? [id, survivor] : [id];
  });
}

/** The fields that are read of a merged member. This folder must not import the member's resource. */
interface Merged {
  _id: ObjectId;
  org: ObjectId;
  status: string;
  mergedInto?: ObjectId;
}

type Replace = (id: ObjectId) => readonly ObjectId[];

/**
 * Copies a filter. Where a field for which `follows` is true is compared with an id, `replace` gives the ids to compare
 * with instead.
 */
function replaceIds(filter: Filter, follows: (path: string) => boolean, replace: Replace, at = ''): Filter {
  const inside = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => inside(each, path));
    return isPlainObject(value) ? replaceIds(value, follows, replace, path) : value;
  };
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      // Operators such as `$elemMatch` do not add to the path.
      const path = name.startsWith('$') ? at : [at, name].filter(Boolean).join('.');
      const isField = !name.startsWith('$') && follows(path);
      return [name, isField ? compared(value, replace) : inside(value, path)];
    }),
  );
}

function compared(condition: unknown, replace: Replace): unknown {
  if (condition instanceof ObjectId) return { $in: replace(condition) };
  if (!isPlainObject(condition)) return condition;
  const { $eq, $in, ...others } = condition;
  if (Object.keys(others).length > 0) return condition;
  if ($eq instanceof ObjectId) return { $in: replace($eq) };
  if (!Array.isArray($in)) return condition;
  const values: unknown[] = $in;
  return { $in: values.flatMap((id): unknown[] => (id instanceof ObjectId ? [...replace(id)] : [id])) };
}
