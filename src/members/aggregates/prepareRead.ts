import type { TProperties } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { largerPeriods, periodNamed } from '#base/calendar/periods';
import { isPlainObject } from '#base/common/plainObject';
import { collectionOf } from '#base/db/collections';
import { hasLostRace, withRetries } from '#base/db/transaction';
import type { Filter } from '#base/query/filter';
import { singleFlight } from '#base/query/read/singleFlight';
import type { PreparedRead } from '#base/query/reader';
import type { Resource } from '#base/schema/resource';
import { aggregateCollection } from '#records/aggregates/aggregate';
import { lifetimeView, prepareLifetimeView } from '#records/members/lifetimeView';
import { orgResource } from '#records/users/org';
import { fillPeriods } from './rollUp/fillPeriods';
import { type RolledMembers, rollUpPeriods } from './rollUp/rollUpPeriods';

/**
 * The most pages of days that one read rolls up. Days of single members are always fewer. A read of a whole org does
 * not wait for the rest, which the timer rolls up.
 */
const pagesMax = 5;

/** How often a page is tried when other processes roll up the same days. */
const conflictsMax = 5;

/**
 * Prepares a read of aggregates; other resources are read as they are. Larger periods get the days of the members that
 * the filter names, or of the whole org, before they are read: their timer runs seldom. Lifetime aggregates are read
 * from the view that includes those in members.
 * It never makes a read fail: what cannot be brought up to date is read as it was rolled up last.
 * @returns the resource to read from
 */
export async function prepareRead<P extends TProperties>(
  db: Connection,
  resource: Resource<P>,
  read: PreparedRead,
): Promise<Resource<P>> {
  if (resource.path === periodNamed('lifetime').path) {
    await prepareLifetimeView(db);
    return { ...resource, path: lifetimeView };
  }
  const period = largerPeriods.find(({ path }) => path === resource.path);
  if (period) await updatePeriods(db, read, await findReadMembers(db, period, read));
  return resource;
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

const flights = singleFlight();

async function updatePeriods(db: Connection, { org, now }: PreparedRead, ids: readonly ObjectId[] | undefined) {
  const members: RolledMembers | undefined = ids && { $in: ids };
  const dirty = { org, dirty: true, ...(members ? { memberId: members } : {}) };
  const isDirty = () => aggregateCollection(db, periodNamed('daily')).findOne(dirty, { projection: { _id: 1 } });
  if (!(await isDirty())) return;
  const key = [org, ...(ids ?? [])].map((id) => id.toHexString()).join(' ');
  await flights.run(key, () => rollUpSome(db, { org, now }, members).catch(() => 0));
}

async function rollUpSome(db: Connection, { org, now }: Pick<PreparedRead, 'org' | 'now'>, members?: RolledMembers) {
  await fillPeriods(db, org, now);
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) return 0;
  const author = { org, userId: owner.systemUser };
  for (let page = 0; page < pagesMax; page += 1) {
    const rolled = await withRetries(() => rollUpPeriods(db, author, now, members), {
      isWorthRetrying: hasLostRace,
      attemptsMax: conflictsMax,
    });
    if (rolled.size === 0) return page;
  }
  return pagesMax;
}
