import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { byName, freeObject } from '#base/schema/atoms';
import { messageReads, messageShape, messageText, messageValues } from '../language/message';
import { germanMessage } from '../words/german/germanMessage';
import { germanValue } from '../words/german/germanValue';
import { messagePhrase } from '../words/messagePhrase';
import { valueText } from '../words/valueText';
import { defineAction } from './action';
import { checkMessages } from './checkMessages';

/** Sets fields of `result.data`. When several rules set one field, the last value wins. */
export const setData = defineAction({
  type: 'setData',
  description: 'Puts values into result.data of the answer, for a till or an app to show; needs values or texts',
  params: {
    values: Type.Optional(freeObject({ description: 'Fields of result.data, as they are', minProperties: 1 })),
    texts: Type.Optional(
      byName(messageShape('A field of result.data'), 100, {
        minProperties: 1,
        maxProperties: 100,
        description: 'Fields of result.data, each a text with values or texts by language, as message of log',
        'x-free': true,
      }),
    ),
    with: Type.Optional(messageValues),
  },
  inCancellation: true,
  onCancel: 'none',
  check({ values = {}, texts = {}, with: inTexts }, check) {
    const fields = Object.keys(texts);
    if (Object.keys(values).length + fields.length === 0) check.error([], message('rules.setDataNeeds'));
    for (const field of fields) {
      if (Object.hasOwn(values, field)) check.keyError(['texts', field], message('rules.valuesHaveField', { field }));
    }
    checkMessages(
      Object.entries(texts).map(([field, message]) => ({ at: ['texts', field], message })),
      inTexts,
      check,
    );
  },
  reads: ({ texts = {}, with: values }) => messageReads(Object.values(texts), values),
  words: {
    en: ({ values, texts, with: inTexts }) => {
      const phrases = [
        ...(values === undefined ? [] : [valueText(values)]),
        ...Object.entries({ ...Object(texts) }).map(([field, text]) => `${field} ${messagePhrase(text, inTexts)}`),
      ];
      return `set in the result's data: ${phrases.join('; ')}`;
    },
    de: ({ values, texts, with: inTexts }) => {
      const phrases = [
        ...(values === undefined ? [] : [germanValue(values)]),
        ...Object.entries({ ...Object(texts) }).map(([field, text]) => `${field} ${germanMessage(text, inTexts)}`),
      ];
      return `Daten der Antwort setzen: ${phrases.join('; ')}`;
    },
  },
  effects({ type, values = {}, texts = {}, with: inTexts }, { readFact }) {
    const filled = Object.entries(texts).map(([field, message]) => [field, messageText(message, inTexts, readFact)]);
    return [{ type, values: filled.length === 0 ? values : { ...values, ...Object.fromEntries(filled) } }];
  },
  apply: (target, change, rule) => target.setData(change, rule),
});
