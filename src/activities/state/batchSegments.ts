import type { ObjectId } from 'bson';
import type { Segment } from '../../records/catalog/segment';
import type { Member } from '../../records/members/member';

/** The segments that rules of a batch look at or change. */
export interface BatchSegments {
  /** The id of a static segment; undefined of any other. */
  idOf(name: string): ObjectId | undefined;
  /** Names of the segments that a member is in: static ones by what it holds now, others as they were loaded. */
  namesOf(member: Pick<Member, '_id' | 'segments'>): string[];
}

/** No segments: no rule looks at them. */
export const noSegments: BatchSegments = { idOf: () => undefined, namesOf: () => [] };

/** @param queried names of segments by query that members are in, by hexadecimal member id */
export function batchSegments(
  segments: readonly Segment[],
  queried: ReadonlyMap<string, ReadonlySet<string>>,
): BatchSegments {
  const statics = segments.filter(({ kind }) => kind === 'static');
  const idByName = new Map(statics.map(({ _id, name }) => [name, _id]));
  const nameById = new Map(statics.map(({ _id, name }) => [_id.toHexString(), name]));
  return {
    idOf: (name) => idByName.get(name),
    namesOf: ({ _id, segments: ids = [] }) => [
      ...ids.flatMap((id) => nameById.get(id.toHexString()) ?? []),
      ...(queried.get(_id.toHexString()) ?? []),
    ],
  };
}
