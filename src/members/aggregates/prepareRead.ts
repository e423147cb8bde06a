import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { largerPeriods, periodNamed } from '#base/calendar/periods';
import { isPlainObject } from '#base/common/plainObject';
import { collectionOf } from '#base/db/collections';
import type { Filter } from '#base/query/filter';
import { singleFlight } from '#base/query/read/singleFlight';
import type { PreparedRead, PrepareRead } from '#base/query/reader';
import { aggregateCollection } from '#records/aggregates/aggregate';
import { lifetimeView, prepareLifetimeView } from '#records/members/lifetimeView';
import { orgResource } from '#records/users/org';
import { drainPages } from './rollUp/drainPages';
import { fillPeriods } from './rollUp/fillPeriods';
import { type RolledMembers, rollUpPeriods } from './rollUp/rollUpPeriods';

/**
 * The most that one read rolls up: pages of days, and tries of a page while other processes roll up the same days. Days
 * of single members are always fewer. A read of a whole org does not wait for the rest, which the timer rolls up.
 */
const limits = { pagesMax: 5, conflictsMax: 4 };

/**
 * Makes the function that prepares a read of aggregates; other resources are read as they are. Larger periods get the days of the members that
 * the filter names, or of the whole org, before they are read: their timer runs seldom. Lifetime aggregates are read
 * from the view that includes those in members.
 * It never makes a read fail: what cannot be brought up to date is read as it was rolled up last, and `onFailure` learns
 * why.
 */
export function createPrepareRead(onFailure: (error: unknown) => void): PrepareRead {
  const flights = singleFlight();
  return async (db, resource, read) => {
    if (resource.path === periodNamed('lifetime').path) {
      await prepareLifetimeView(db);
      return { ...resource, path: lifetimeView };
    }
    const period = largerPeriods.find(({ path }) => path === resource.path);
    if (!period) return resource;
    const ids = await findReadMembers(db, period, read);
    if (await hasDirtyDays(db, read.org, ids)) {
      const key = [read.org, ...(ids ?? [])].map((id) => id.toHexString()).join(' ');
      await flights.run(key, () => rollUpSome(db, read, ids)).catch(onFailure);
    }
    return resource;
  };
}

/** The members that a read names itself or by the id of an aggregate; undefined: any of the org. */
async function findReadMembers(db: Connection, period: (typeof largerPeriods)[number], { org, filter }: PreparedRead) {
  const ids = namedIds(filter, '_id');
  if (!ids) return namedIds(filter, 'memberId');
  const found = await aggregateCollection(db, period)
    .find({ org, _id: { $in: ids } }, { projection: { memberId: 1 } })
    .toArray();
  return found.map(({ memberId }) => memberId);
}

/** The ids to which a filter limits a field; undefined when it does not. */
function namedIds(filter: Filter, field: string): ObjectId[] | undefined {
  const condition = filter[field];
  if (condition instanceof ObjectId) return [condition];
  const listed = isPlainObject(condition) ? (condition.$in ?? [condition.$eq]) : undefined;
  if (isIds(listed)) return listed;
  const parts: unknown[] = Array.isArray(filter.$and) ? filter.$and : [];
  for (const part of parts) {
    const ids = isPlainObject(part) ? namedIds(part, field) : undefined;
    if (ids) return ids;
  }
  return undefined;
}

function isIds(values: unknown): values is ObjectId[] {
  return Array.isArray(values) && values.every((value) => value instanceof ObjectId);
}

async function hasDirtyDays(db: Connection, org: ObjectId, ids?: readonly ObjectId[]): Promise<boolean> {
  const dirty = { org, dirty: true, ...(ids ? { memberId: { $in: ids } } : {}) };
  return (await aggregateCollection(db, periodNamed('daily')).findOne(dirty, { projection: { _id: 1 } })) !== null;
}

async function rollUpSome(db: Connection, { org, now }: PreparedRead, ids?: readonly ObjectId[]): Promise<number> {
  await fillPeriods(db, org, now);
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) return 0;
  const author = { org, userId: owner.systemUser };
  const membersFrom = (from?: ObjectId): RolledMembers | undefined => (ids ? { $in: ids } : from && { $gte: from });
  return drainPages((from) => rollUpPeriods(db, author, now, membersFrom(from)), limits);
}
