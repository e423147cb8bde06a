import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { type EventsQuery, type EventsRead, readEvents } from '#platform/events/readEvents';

/** Events, and whether some before them are not kept any more although nobody read them here. */
export type EventsReadOn = EventsRead & { isGap: boolean };

/**
 * Reads events as {@link readEvents} does, but continues with the oldest event that is kept when the requested ones are
 * not.
 */
export async function readSkippingGaps(db: Connection, org: ObjectId, query: EventsQuery): Promise<EventsReadOn> {
  try {
    return { ...(await readEvents(db, org, query)), isGap: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'gone') throw error;
    return { ...(await readEvents(db, org, { ...query, after: undefined })), isGap: true };
  }
}
