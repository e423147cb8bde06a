import type { Static } from '@sinclair/typebox';
import { invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { tooManyRequests } from '#base/limits/tooManyRequests';
import { record, withValues } from '#base/schema/atoms';
import { lastEventId } from '#platform/events/readEvents';
import { readPathId } from '#platform/http/collection/readPathId';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import type { Answer, Request } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { webhookResource } from '#records/webhooks/webhook';
import { replayFields, replayLimits, type WebhookReplay, webhookReplayResource } from '#records/webhooks/webhookReplay';
import { replayBeginning } from './replayBeginning';
import { storeAndWake } from './wakeWebhook';

/** The body of `POST /webhooks/{id}/replay`. */
export const replayBody = record(replayFields, {
  'x-document': { anyOf: [withValues(['from']), withValues(['to']), withValues(['events'])] },
  examples: [{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' }],
});

type Body = Static<typeof replayBody>;

/**
 * `POST /webhooks/{id}/replay`: lets the workers deliver past events again: those of a period, or with some ids.
 * @throws ServiceError 1200 when the body names no events or unknown ones, 1260 when too many replays of the webhook
 *   are unfinished
 */
export async function replayEvents(request: Request): Promise<Answer> {
  const { services, principal } = request;
  const now = request.machineClock.now();
  const { db } = services;
  const body = request.body as Body;
  refuseUnclear(body);
  const { _id: webhook, org } = await storedRecord(webhookResource, request, readPathId(request));
  const replays = collectionOf(db, webhookReplayResource);
  const unfinished = await replays.countDocuments({ org, webhook, status: 'Running' });
  if (unfinished >= replayLimits.unfinished) {
    throw tooManyRequests(message('webhooks.tooManyReplays', { max: replayLimits.unfinished }), 60_000);
  }
  const last = await lastEventId(db, principal.org);
  refuseUnknown(body, last);
  const cursor = await replayBeginning(db, principal.org, { ...body, last });
  const replay: WebhookReplay = {
    ...newStamps(principal, now),
    webhook,
    ...body,
    status: 'Running',
    read: 0,
    deliveries: 0,
    cursor,
    until: last,
  };
  const headers = { Location: `/api/v1/webhookreplays/${replay._id}` };
  const answer = { status: 202, body: visible(webhookReplayResource, replay), headers };
  const answered = () => answer;
  return keptAnswer(request, answered, (inCommit) =>
    storeAndWake(db, webhookReplayResource, { made: replay, now, inCommit }),
  );
}

/** Ids of events are 16 digits, so they sort as strings. An id beyond the last event would never be reached. */
function refuseUnknown({ events = [] }: Body, last: string): void {
  const faults = events.flatMap((id, index) =>
    /^\d{16}$/.test(id) && id <= last
      ? []
      : [{ path: `events.${index}`, kind: 'reference', ...message('webhooks.noEvent') }],
  );
  if (faults.length > 0) throw validationError(faults);
}

function refuseUnclear({ from, to, events }: Body): void {
  const isOfTime = from !== undefined || to !== undefined;
  if (!isOfTime && !events) throw invalidField('from', 'required', message('webhooks.periodOrEvents'));
  if (isOfTime && events) throw invalidField('events', 'required', message('webhooks.periodAndEvents'));
  if (from && to && from >= to) throw invalidField('to', 'date', message('webhooks.toBeforeFrom'));
}
