import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { derivedId } from '../../db/records';
import { count, oneOf, record } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** Collections that grow by every activity and lose nothing: how many records an org has in each is kept. */
export const countedPaths = ['accrualitems', 'journal', 'activityhistories'] as const;

/** One of {@link countedPaths}. */
export type CountedPath = (typeof countedPaths)[number];

/** How many records a commit made of each kind that is counted. */
export type RecordsMade = Record<CountedPath, number>;

/** The shape of {@link RecordsMade}. */
export const recordsMade = record({ accrualitems: count(), journal: count(), activityhistories: count() });

/**
 * How many records an org has in one collection, less what metric events still hold that are not rolled up (decision 21).
 * Not reachable over HTTP.
 */
export const recordCountResource = defineResource({
  name: 'RecordCount',
  path: 'recordcounts',
  isInternal: true,
  fields: {
    path: oneOf(countedPaths),
    /** null: there were too many to begin with, so it is not known. */
    count: Type.Union([count(), Type.Null()]),
  },
});

/** The id of the count of one collection of an org. */
export function recordCountId(org: ObjectId, path: CountedPath): ObjectId {
  return derivedId('recordCount', org, path);
}
