import { Type } from '@sinclair/typebox';
import { byName, instant, list, objectId, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/**
 * Posts with an Idempotency-Key, and their answers. Posts of activities are not among them: they are submissions. The
 * `_id` is derived from org, route and key, so that these are unique together. Keyed requests cannot be listed over
 * HTTP.
 */
export const keyedRequestResource = defineResource({
  name: 'KeyedRequest',
  path: 'keyedrequests',
  isInternal: true,
  fields: {
    route: text(200),
    hash: Type.String({ description: 'HMAC of the request; bodies may have passwords' }),
    claim: objectId(undefined, { description: 'The attempt that may still take effect, a new one for each' }),
    claimedUntil: instant({ description: 'From then on another attempt may take the claim over' }),
    /** Stored in the transaction of the effect. Without it, the request has no effect so far. */
    answer: Type.Optional(
      record({
        status: Type.Integer(),
        headers: byName(Type.String(), 100),
        /** The JSON text; absent after the erasure of a member that it was about. */
        body: Type.Optional(Type.String()),
      }),
    ),
    /** The ids in the answer that may be those of members, for erasures. */
    about: Type.Optional(list(objectId())),
    expiresAt: instant(),
  },
  indexes: [
    { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { keys: { org: 1, about: 1 }, where: { about: { $exists: true } } },
  ],
});

export type KeyedRequest = DocOf<typeof keyedRequestResource>;
