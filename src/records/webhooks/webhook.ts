import { Type } from '@sinclair/typebox';
import { count, instant, list, oneOf, record, text } from '#base/schema/atoms';
import { messageShape } from '#base/schema/messageShape';
import { type DocOf, defineResource } from '#base/schema/resource';
import { eventTypes } from '#records/events/event';

/** Limits of webhooks: how many an org may have, and how many earlier secrets one still signs with. */
export const webhookLimits = { perOrg: 20, earlierSecrets: 4, urlMax: 2048 } as const;

/** Webhooks: receivers outside the service to which workers post its events. */
export const webhookResource = defineResource({
  name: 'Webhook',
  path: 'webhooks',
  access: 'managed',
  tag: 'Webhooks',
  fields: {
    url: text(webhookLimits.urlMax, {
      description: 'Where the events are posted: https, unless WEBHOOK_PRIVATE is on',
      format: 'uri',
      examples: ['https://example.com/loyalty-events'],
    }),
    events: list(oneOf(eventTypes), eventTypes.length, {
      minItems: 1,
      uniqueItems: true,
      description: 'The types of the events to post',
    }),
    description: Type.Optional(text(500)),
    status: oneOf(['Active', 'Paused'], {
      default: 'Active',
      description: 'While it is paused, events wait as long as they are kept',
    }),
    pausedBecause: Type.Optional(text(500, { description: 'Why the service paused it; absent when a user did' })),
    fault: Type.Optional(messageShape),
    /** The number of the secret, which is derived and never stored (decision 79). */
    generation: count(),
    /** The first bytes of the hash of the secret, to notice that the key from which it is derived has changed. */
    secretCheck: text(20),
    /** Earlier secrets that still sign in addition to this one. */
    earlier: list(record({ generation: count(), until: instant() }), webhookLimits.earlierSecrets),
  },
  readOnly: ['pausedBecause', 'fault'],
  hidden: ['generation', 'secretCheck', 'earlier'],
});

export type Webhook = DocOf<typeof webhookResource>;
