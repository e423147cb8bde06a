import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { OrgEvent } from '#records/events/event';
import { type WebhookReplay, webhookReplayResource } from '#records/webhooks/webhookReplay';
import { deletionTime } from '../deletionTime';
import { readSkippingGaps } from '../readSkippingGaps';
import { clocksApartMs } from '../replayBeginning';
import { buildDelivery, type FannedOut, type FanOut, storeDeliveries } from './fanOut';

/** Days that a finished replay is kept. */
const replayKeptDays = 30;

/**
 * Makes deliveries of the next events of the oldest unfinished replay of a webhook. Within a replay those of a member
 * keep their order; they do not wait for other deliveries of the member.
 * @throws GuardFailed when another worker has taken over
 */
export async function fanOutReplays(db: Connection, { webhook, state, limit, now }: FanOut): Promise<FannedOut> {
  const replays = collectionOf(db, webhookReplayResource);
  const { _id, org } = webhook;
  const replay = await replays.findOne({ org, webhook: _id, status: 'Running' }, { sort: { _id: 1 } });
  if (!replay) return { made: [], hasMore: false };
  const { until = '' } = replay;
  const page = await readSkippingGaps(db, org, { after: replay.cursor, types: webhook.events, limit });
  const made = page.events
    .filter((event) => isIn(replay, event))
    .map((event, index) => {
      const lane = `replay ${replay._id} ${event.member ?? ''}`;
      return buildDelivery(webhook, event, {
        kind: 'replay',
        replay: replay._id,
        order: state.made + index,
        lane,
        now,
      });
    });
  const isPast = replay.to && page.events.some(({ at }) => at.getTime() > Number(replay.to) + clocksApartMs);
  const isDone = isPast || page.next >= until || page.next === replay.cursor;
  const ended = { status: 'Done', finishedAt: now, keptUntil: deletionTime(now, replayKeptDays) ?? now } as const;
  const set = { cursor: page.next, updatedAt: now, ...(isDone ? ended : {}) };
  const counts = { made: state.made + made.length, fannedOutAt: now };
  await storeDeliveries(db, { state, set: counts, made }, async (session) => {
    const seen = { $inc: { read: page.events.length, deliveries: made.length }, $set: set };
    await replays.updateOne({ _id: replay._id, org, status: 'Running' }, seen, { session });
  });
  return { made, hasMore: true };
}

function isIn({ from, to, events, until = '' }: WebhookReplay, { id, at }: OrgEvent): boolean {
  if (id > until) return false;
  if (events) return events.includes(id);
  return (!from || at >= from) && (!to || at < to);
}
