import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { derivedId } from '#base/db/records';
import { count, oneOf, record } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * Collections that grow with every activity. The number of records of an org in each is stored. Only retention deletes
 * records, and it updates that number.
 */
export const countedPaths = ['accrualitems', 'journal', 'activityhistories'] as const;

/** One of {@link countedPaths}. */
export type CountedPath = (typeof countedPaths)[number];

/** The number of records that a commit made in each counted collection. */
export type RecordsMade = Record<CountedPath, number>;

/** The shape of {@link RecordsMade}. */
export const recordsMade = record({ accrualitems: count(), journal: count(), activityhistories: count() });

/**
 * The number of records of an org in one collection, without the records in metric events that are not rolled up
 * (decision 21). Not reachable over HTTP.
 */
export const recordCountResource = defineResource({
  name: 'RecordCount',
  path: 'recordcounts',
  isInternal: true,
  fields: {
    path: oneOf(countedPaths),
    /** null: unknown, because there were too many records to count at the first roll-up. */
    count: Type.Union([count(), Type.Null()]),
  },
});

/** The id of the record count of one collection of an org. */
export function recordCountId(org: ObjectId, path: CountedPath): ObjectId {
  return derivedId('recordCount', org, path);
}
