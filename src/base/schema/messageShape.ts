import { Type } from '@sinclair/typebox';
import type { Params } from '#base/common/messages/message';
import { named, record } from './atoms';

/** What a translation of a message needs, beside the message. */
export const messageFields = {
  messageId: Type.Optional(Type.String({ description: 'Id of the message, for translations' })),
  params: Type.Optional(
    Type.Unsafe<Params>({
      type: 'object',
      additionalProperties: true,
      description: 'Parts of the message that differ, by name: texts, numbers, and messages of the same form',
    }),
  ),
};

/** A message in English, with what a translation needs. */
export const messageShape = named('Message', record({ message: Type.String(), ...messageFields }));
