import { Type } from '@sinclair/typebox';
import { messageReads, messageShape, messageText, messageValues } from '../language/message';
import { germanMessage } from '../words/german/germanMessage';
import { messagePhrase } from '../words/messagePhrase';
import { defineAction } from './action';
import { checkMessages } from './checkMessages';

/** Writes a line into `result.log`. */
export const log = defineAction({
  type: 'log',
  description: 'Writes a line into result.log',
  params: { message: messageShape('The line'), with: Type.Optional(messageValues) },
  inCancellation: true,
  onCancel: 'none',
  check: ({ message, with: values }, check) => checkMessages([{ at: ['message'], message }], values, check),
  reads: ({ message, with: values }) => messageReads([message], values),
  words: {
    en: ({ message, with: values }) => `log ${messagePhrase(message, values)}`,
    de: ({ message, with: values }) => `ins Protokoll schreiben: ${germanMessage(message, values)}`,
  },
  effects: ({ type, message, with: values }, { readFact }) => [
    { type, message: messageText(message, values, readFact) },
  ],
  apply: (target, effect, rule) => target.log(effect, rule),
});
