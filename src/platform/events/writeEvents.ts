import { Timestamp } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { insertAll } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import type { StoredEvent } from '#records/events/event';
import { type EventPage, eventPageResource, pageMax } from '#records/events/eventPage';

/** MongoDB replaces an empty timestamp with its own on insert. */
const setByServer = new Timestamp({ t: 0, i: 0 });

/**
 * Stores the events of a commit in its transaction: one document, and none when there are no events. The store gives
 * them its time. A commit that changes what another one changed begins after the end of that one, so its time is later.
 */
export async function writeEvents(
  db: Connection,
  session: ClientSession,
  author: Author,
  now: Date,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const pages: EventPage[] = [];
  for (let from = 0; from < events.length; from += pageMax) {
    const some = events.length <= pageMax ? [...events] : events.slice(from, from + pageMax);
    pages.push({ ...newStamps(author, now), ...buildEventPage(some) });
  }
  // A page at a time: two in one command might be given the same time.
  for (const page of pages) await insertAll(db, session, eventPageResource.path, [page]);
}

function buildEventPage(events: StoredEvent[]) {
  return { events, size: events.length, place: setByServer, about: eventSubjects(events), waits: true as const };
}

/** What the events are about, each once. Events of one member mostly follow each other. */
function eventSubjects(events: readonly StoredEvent[]): string[] {
  const subjects = new Set<string>();
  let before: StoredEvent | undefined;
  for (const event of events) {
    const { type, program, member } = event;
    subjects.add(type);
    if (program && program !== before?.program) subjects.add(program.toHexString());
    if (member && member !== before?.member) subjects.add(member.toHexString());
    before = event;
  }
  return [...subjects];
}
