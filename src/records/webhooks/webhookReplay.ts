import { Type } from '@sinclair/typebox';
import { count, instant, list, objectId, oneOf, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Limits of replays: how many of a webhook may be unfinished, and how many events one may name. */
export const replayLimits = { unfinished: 5, events: 100 } as const;

/** The fields that say which events a replay delivers. */
export const replayFields = {
  from: Type.Optional(instant({ description: 'Events from this moment on' })),
  to: Type.Optional(instant({ description: 'Events before this moment' })),
  events: Type.Optional(
    list(text(100), replayLimits.events, { minItems: 1, description: 'Or the events with these ids' }),
  ),
};

/** Replays: events of the past that are delivered to a webhook again. */
export const webhookReplayResource = defineResource({
  name: 'WebhookReplay',
  path: 'webhookreplays',
  access: 'operation',
  tag: 'Webhooks',
  permissions: { read: 'webhooks:read' },
  fields: {
    webhook: objectId(undefined, { description: 'Id of the webhook' }),
    ...replayFields,
    status: oneOf(['Running', 'Done'], { description: 'Done: each event has a delivery' }),
    read: count({ description: 'Events looked at so far' }),
    deliveries: count({ description: 'Deliveries made so far' }),
    finishedAt: Type.Optional(instant()),
    /** The last event that was looked at, and the last one to look at. */
    cursor: Type.Optional(text(100)),
    until: Type.Optional(text(100)),
    keptUntil: Type.Optional(instant()),
  },
  hidden: ['cursor', 'until', 'keptUntil'],
  indexes: [
    { keys: { webhook: 1, _id: 1 }, where: { status: 'Running' } },
    { keys: { org: 1, webhook: 1, _id: 1 } },
    { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
});

export type WebhookReplay = DocOf<typeof webhookReplayResource>;
