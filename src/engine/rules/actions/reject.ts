import { Type } from '@sinclair/typebox';
import { messageReads, messageShape, messageText, messageValues } from '../language/message';
import { germanMessage } from '../words/german/germanMessage';
import { messagePhrase } from '../words/messagePhrase';
import { defineAction } from './action';
import { checkMessages } from './checkMessages';

/** Fails the activity with error 2400, without any effect. The decision handles this action, so it has no `apply`. */
export const reject = defineAction({
  type: 'reject',
  description: 'Fails the activity with error 2400; nothing of it takes effect',
  params: { message: messageShape('What the client is told'), with: Type.Optional(messageValues) },
  inCancellation: true,
  onCancel: 'none',
  check: ({ message, with: values }, check) => checkMessages([{ at: ['message'], message }], values, check),
  reads: ({ message, with: values }) => messageReads([message], values),
  words: {
    en: ({ message, with: values }) => `reject the activity: ${messagePhrase(message, values)}`,
    de: ({ message, with: values }) => `Aktivität ablehnen: ${germanMessage(message, values)}`,
  },
  effects: ({ type, message, with: values }, { readFact }) => [
    { type, message: messageText(message, values, readFact) },
  ],
});
