import { Type } from '@sinclair/typebox';
import { failureMaxLength } from '#base/common/failure';
import type { Params } from '#base/common/messages/message';
import { named, record, text } from './atoms';

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

/** Why work failed (`failure` makes both); records of earlier versions have the text alone. */
export const failureFields = {
  error: Type.Optional(text(failureMaxLength, { description: 'Why it failed' })),
  fault: Type.Optional(messageShape),
};
