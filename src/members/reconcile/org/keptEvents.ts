import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type EventPage, eventPageResource } from '#records/events/eventPage';

/** The oldest page of events of an org that has a number, or else any that waits for one. */
async function oldestPage(db: Connection, org: ObjectId): Promise<Pick<EventPage, 'first' | 'createdAt'> | null> {
  const pages = collectionOf(db, eventPageResource);
  const projection = { first: 1, createdAt: 1 };
  const numbered = { org, last: { $exists: true } };
  const oldest = await pages.findOne(numbered, { projection, hint: { org: 1, last: 1 }, sort: { last: 1 } });
  return oldest ?? (await pages.findOne({ org, waits: true }, { projection, sort: { place: 1 } }));
}

/** Tells whether an org has deleted its oldest events. */
export async function isForgetful(db: Connection, org: ObjectId): Promise<boolean> {
  return ((await oldestPage(db, org))?.first ?? 1) > 1;
}

/** When the first event of an org was stored, if it keeps all of them. Earlier versions stored none. */
export async function eventsSince(db: Connection, org: ObjectId): Promise<Date | undefined> {
  const oldest = await oldestPage(db, org);
  return oldest && (oldest.first ?? 1) === 1 ? oldest.createdAt : undefined;
}
