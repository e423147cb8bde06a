import { setTimeout as sleep } from 'node:timers/promises';
import { numberEvents } from '#platform/events/numberEvents';
import { lastEventId } from '#platform/events/readEvents';
import type { ShownEvent } from '#records/events/event';
import type { World } from '../../support/world';

/** An event as a client reads it. */
export type ReadEvent = Record<keyof Omit<ShownEvent, 'data'>, string | null> & {
  id: string;
  type: string;
  data: Record<string, unknown>;
};

/** Reads events like a client that goes on after the last one it read. */
export interface Following {
  /** All events after those that were read before; first gives ids to those that wait. */
  more(args?: string): Promise<ReadEvent[]>;
  /** The id after which it goes on. */
  next(): string | undefined;
}

/** Follows the events of a world, from now on or from the first one. */
export async function followEvents(world: World, from: 'now' | 'start' = 'now'): Promise<Following> {
  const reader = world.server.as('reader');
  let after: string | undefined;
  const more: Following['more'] = async (args = '') => {
    await numberAll(world);
    const events: ReadEvent[] = [];
    for (;;) {
      const start = after === undefined ? '' : `&after=${after}`;
      const { status, body } = await reader.get(`/events?limit=1000${start}${args}`);
      if (status !== 200) throw new Error(`not read: ${JSON.stringify(body)}`);
      events.push(...body.events);
      if (body.next === after) return events;
      after = body.next;
    }
  };
  if (from === 'now') {
    await numberAll(world);
    after = await lastEventId(world.services.db, world.services.org._id);
  }
  return { more, next: () => after };
}

/** Gives ids until nothing waits. What an abandoned transaction holds is left out until it is given up. */
async function numberAll({ services, author: { org } }: World): Promise<void> {
  const waiting = () => services.db.collection('eventpages').countDocuments({ org, waits: true });
  while ((await waiting()) > 0) {
    if ((await numberEvents(services, services.clock.now())) === 0) await sleep(20);
  }
}
