import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { WebhookReplay } from '#records/webhooks/webhookReplay';
import { readSkippingGaps } from './readSkippingGaps';

/** How far the clocks of the processes that commit may be apart, in milliseconds. */
export const clocksApartMs = 600_000;

/**
 * The id after which all events of a replay come. For a time it is found by halves, since later events have later
 * times, as far as the clocks agree.
 * @param last id of the last event of the org
 */
export async function replayBeginning(
  db: Connection,
  org: ObjectId,
  { from, events, last }: Pick<WebhookReplay, 'from' | 'events'> & { last: string },
): Promise<string> {
  if (events) return events.map(idBefore).sort()[0] ?? eventId(0);
  if (!from) return eventId(0);
  const time = from.getTime() - clocksApartMs;
  let low = 0;
  let high = Number(last);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { events: found } = await readSkippingGaps(db, org, { after: eventId(middle), limit: 1 });
    const [event] = found;
    if (event && event.at.getTime() < time) low = Math.max(middle + 1, Number(event.id));
    else high = middle;
  }
  return eventId(low);
}

function idBefore(id: string): string {
  return eventId(Math.max(0, Number(id) - 1));
}

/** The id of the event with this number (src/platform/events/readEvents.ts). */
function eventId(number: number): string {
  return String(number).padStart(16, '0');
}
