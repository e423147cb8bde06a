import { Type } from '@sinclair/typebox';
import { count, instant, list, objectId, oneOf, record, text } from '#base/schema/atoms';
import { messageShape } from '#base/schema/messageShape';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Limits of what a delivery keeps of the answers to it. */
export const answerLimits = { kept: 10, bodyMaxBytes: 1024 } as const;

const attemptShape = record({
  at: instant(),
  durationMs: count(),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 999, description: 'Status of the answer' })),
  answer: Type.Optional(Type.String({ maxLength: answerLimits.bodyMaxBytes, description: 'Its first 1 kB' })),
  error: Type.Optional(text(200, { description: 'Why there was no answer, or not all of it' })),
  fault: Type.Optional(messageShape),
});

/** The index of what waits. Reads name it, because MongoDB may take one that begins with the org and sort. */
export const waitingIndex: Record<string, 1> = { webhook: 1, order: 1 };

/** Deliveries of events to webhooks; also the log of what the receivers answered. */
export const webhookDeliveryResource = defineResource({
  name: 'WebhookDelivery',
  path: 'webhookdeliveries',
  access: 'operation',
  tag: 'Webhooks',
  permissions: { read: 'webhooks:read' },
  fields: {
    webhook: objectId(undefined, { description: 'Id of the webhook' }),
    event: text(100, { description: 'Id of the event; the header webhook-id' }),
    type: text(100, { description: 'Type of the event' }),
    member: Type.Optional(objectId(undefined, { description: 'Id of the member that the event is about' })),
    kind: oneOf(['event', 'replay', 'test'], { description: 'Why it is delivered' }),
    replay: Type.Optional(objectId(undefined, { description: 'Id of the replay' })),
    status: oneOf(['Waiting', 'Delivered', 'Dead'], {
      description: 'Dead: three days of attempts failed while others succeeded; retry delivers it again',
    }),
    attempts: count(),
    nextAttemptAt: Type.Optional(
      instant({ description: 'Not before this moment, and not before those of the same member that came earlier' }),
    ),
    deliveredAt: Type.Optional(instant()),
    log: list(attemptShape, answerLimits.kept, { description: 'The last attempts, the latest last' }),
    /** Deliveries of a lane go one after the other, by `order`. */
    lane: text(100),
    order: count(),
    /** Attempts of this series, and when it began: a webhook that becomes active again begins a new one. */
    tries: count(),
    since: Type.Optional(instant()),
    /** The body to send, byte for byte; absent once it is delivered. */
    payload: Type.Optional(text(1_048_576)),
    /** When the record is deleted; absent while it waits. */
    keptUntil: Type.Optional(instant()),
  },
  hidden: ['lane', 'order', 'tries', 'since', 'payload', 'keptUntil'],
  indexes: [
    { keys: waitingIndex, where: { status: 'Waiting' }, isNeeded: true },
    { keys: { org: 1, webhook: 1, _id: 1 } },
    { keys: { org: 1, webhook: 1, status: 1, _id: 1 } },
    { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
});

export type WebhookDelivery = DocOf<typeof webhookDeliveryResource>;
