import { ObjectId } from 'bson';
import { isPlainObject } from '#base/common/plainObject';
import type { FieldTable } from '#base/query/fields';
import type { Filter } from '#base/query/filter';
import type { Reader } from '#base/query/reader';
import type { Resource } from '#base/schema/resource';

/**
 * What stays with a merged member, or records merges themselves, as `mergeIds` do everywhere (docs/design/members.md,
 * "What names a merged member").
 */
const stays: Readonly<Record<string, readonly string[]>> = {
  journal: ['member'],
  tierhistories: ['member'],
  activityhistories: ['originalMemberID', 'occasion.other'],
  refusedactivities: ['memberID'],
  members: ['mergedInto'],
};

/**
 * Lets a filter that names a merged member find what the survivor has of it, whether the job has moved it already or not.
 * A filter that names no member costs nothing.
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

/** What is read of a merged member. This folder knows no domain. */
interface Merged {
  _id: ObjectId;
  org: ObjectId;
  status: string;
  mergedInto?: ObjectId;
}

type Replace = (id: ObjectId) => readonly ObjectId[];

/** Copies a filter, with what `replace` makes of each id that a field which `follows` is compared with. */
function replaceIds(filter: Filter, follows: (path: string) => boolean, replace: Replace, at = ''): Filter {
  const inside = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => inside(each, path));
    return isPlainObject(value) ? replaceIds(value, follows, replace, path) : value;
  };
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      // Names below a list that is matched by element begin at the element.
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
