import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import type { EventType, OrgEvent } from '#records/events/event';
import { eventHeadResource } from '#records/events/eventHead';
import { type EventPage, eventPageResource } from '#records/events/eventPage';

/** Most events that one read examines. When few of them match, a read may find fewer than `limit`. */
const examinedMax = 20_000;

/** Digits of the id of an event. */
const idDigits = 16;

/** Which events to read. */
export interface EventsQuery {
  /** The id after which to begin, as an earlier read returned it; absent: at the oldest event that is kept. */
  after?: string | undefined;
  types?: readonly EventType[] | undefined;
  program?: ObjectId | undefined;
  member?: ObjectId | undefined;
  /** Most events to return. */
  limit: number;
}

/** Events in the order of their ids. */
export interface EventsRead {
  events: OrgEvent[];
  /** The id after which to continue, also when there are no events now. It also passes events that do not match. */
  next: string;
}

/**
 * Reads events of an org in the order of their commits. Going on after `next`, a reader gets each event once.
 * @throws ServiceError 1210 when `after` is no id of an event of this org, 1510 when events after it are not kept any more
 */
export function readEvents(db: Connection, org: ObjectId, query: EventsQuery): Promise<EventsRead> {
  return inSnapshot(db, async (options) => {
    const head = (await collectionOf(db, eventHeadResource).findOne({ _id: org, org }, options))?.last ?? 0;
    const oldest = await oldestNumber(db, org, options);
    const after = query.after === undefined ? (oldest ?? head + 1) - 1 : parseEventId(query.after, head);
    if (oldest !== undefined ? after < oldest - 1 : after < head) throw notKept();
    return readAfter(db, { org, after, head, query, options });
  });
}

/** The id of the last event of an org that has a number: a reader that begins after it gets only later events. */
export async function lastEventId(db: Connection, org: ObjectId): Promise<string> {
  return eventIdText((await collectionOf(db, eventHeadResource).findOne({ _id: org, org }))?.last ?? 0);
}

async function oldestNumber(db: Connection, org: ObjectId, options: SnapshotOptions): Promise<number | undefined> {
  const found = await collectionOf(db, eventPageResource)
    .find({ org, last: { $exists: true } }, { ...options, projection: { first: 1 }, hint: { org: 1, last: 1 } })
    .sort({ last: 1 })
    .limit(1)
    .toArray();
  return found[0]?.first;
}

function parseEventId(id: string, head: number): number {
  const number = /^\d{16}$/.test(id) ? Number(id) : Number.NaN;
  if (number <= head) return number;
  throw malformed(message('events.afterUnknown'));
}

function notKept(): ServiceError {
  return new ServiceError('gone', message('events.afterNotKept'));
}

function eventIdText(number: number): string {
  return String(number).padStart(idDigits, '0');
}

interface Reading {
  org: ObjectId;
  after: number;
  head: number;
  query: EventsQuery;
  options: SnapshotOptions;
}

async function readAfter(db: Connection, { org, after, head, query, options }: Reading): Promise<EventsRead> {
  const subjects = soughtSubjects(query);
  const cursor = collectionOf(db, eventPageResource)
    .find({ org, last: { $gt: after }, ...(subjects ? { about: { $in: subjects } } : {}) }, options)
    .hint(subjects ? { org: 1, about: 1, last: 1 } : { org: 1, last: 1 })
    .sort({ last: 1 })
    .batchSize(Math.min(query.limit, 200));
  const events: OrgEvent[] = [];
  let examined = 0;
  try {
    for await (const page of eachYielding(cursor)) {
      for (const event of pageEvents(page, after)) {
        if (isSelected(event, query)) events.push(event);
        if (events.length === query.limit) return { events, next: event.id };
      }
      examined += page.size;
      if (examined >= examinedMax) return { events, next: eventIdText(page.last ?? head) };
    }
  } finally {
    await cursor.close();
  }
  return { events, next: eventIdText(head) };
}

/** What a page must be about: the one kind of condition that the fewest pages meet. */
function soughtSubjects({ member, types, program }: EventsQuery): string[] | undefined {
  if (member) return [member.toHexString()];
  if (types && types.length > 0) return [...new Set(types)];
  return program ? [program.toHexString()] : undefined;
}

function pageEvents({ events, first = 0, createdAt }: EventPage, after: number): OrgEvent[] {
  return events.flatMap((event, index): OrgEvent[] => {
    const number = first + index;
    return number > after ? [{ ...event, id: eventIdText(number), at: createdAt }] : [];
  });
}

function isSelected({ type, program, member }: OrgEvent, query: EventsQuery): boolean {
  if (query.types && query.types.length > 0 && !query.types.includes(type)) return false;
  if (query.program && !program?.equals(query.program)) return false;
  return !query.member || member?.equals(query.member) === true;
}
